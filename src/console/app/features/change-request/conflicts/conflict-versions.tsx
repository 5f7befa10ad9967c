/** The versions of what a conflict is about. */
import type { OpenConflict } from '../../../api/review-types.ts'
import { valueText } from '../../../diff/page-diff.tsx'
import { pageSettings } from '../../../diff/page-settings.ts'
import { SettingList, Settings } from '../../../diff/shown-setting.tsx'
import { MarkedText } from '../../../diff/shown/painting.tsx'
import { ShownMarkdown } from '../../../diff/shown/shown-markdown.tsx'
import { textChanges } from '../../../diff/text-changes.ts'
import { t } from '../../../words/words.ts'

/** The common ancestor, the version of the space, and that of the change request. */
export const VERSIONS = ['base', 'primary', 'own'] as const

/** The name of a version. */
export const nameOfVersion = (side: (typeof VERSIONS)[number]): string =>
  side === 'base'
    ? t('common.before')
    : side === 'primary'
      ? t('change-request.in-the-space')
      : t('change-request.change-request-text')

/** Whether it is about blocks of a text, and not about a line of its front matter. */
export const isAboutText = ({ kind, entry }: OpenConflict): boolean => kind === 'body' && entry === undefined

/** One version of a conflict. In the later ones, what differs from the first is marked. */
export function ConflictVersion({
  side,
  conflict,
  spaceId,
}: {
  side: (typeof VERSIONS)[number]
  conflict: OpenConflict
  spaceId: string
}) {
  const value = conflict[side]
  const before = side === 'base' ? undefined : conflict.base
  return (
    <>
      <p className="doc-kind">{nameOfVersion(side)}</p>
      {value === null || value === undefined ? (
        <p className="faint">
          {conflict.kind === 'field' || conflict.entry !== undefined
            ? t('common.nothing')
            : t('change-request.deleted')}
        </p>
      ) : isAboutText(conflict) && typeof value === 'string' ? (
        <ShownMarkdown
          spaceId={spaceId}
          markdown={value}
          before={typeof before === 'string' ? before : undefined}
        />
      ) : isSettings(conflict, value) ? (
        <SettingsShown field={conflict.field!} value={value} before={before} />
      ) : (
        <pre tabIndex={0}>
          {typeof value === 'string' && typeof before === 'string' ? (
            <MarkedText text={value} marks={textChanges(before, value)} />
          ) : (
            (placeText(value) ?? valueText(value))
          )}
        </pre>
      )}
    </>
  )
}

/** Whether a value is a field of a page with several settings, such as its cover. */
const isSettings = ({ kind, field, name }: OpenConflict, value: unknown): boolean =>
  kind === 'field' &&
  field !== undefined &&
  name === undefined &&
  typeof value === 'object' &&
  placeText(value) === undefined

/** A field with several settings: those of the earlier version, or what differs from it. */
function SettingsShown({ field, value, before }: { field: string; value: unknown; before: unknown }) {
  return before === undefined ? (
    <Settings settings={pageSettings(field, undefined, value)} />
  ) : (
    <SettingList changes={pageSettings(field, before, value)} side="both" />
  )
}

/** The title of what a value names, if it is one of the things of a space. */
function placeText(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { title, name } = value as { title?: unknown; name?: unknown }
  return typeof title === 'string' ? title : typeof name === 'string' ? name : undefined
}
