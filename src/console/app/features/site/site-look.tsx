import { isRecord } from '../../../../core/data/is-record.ts'
import { jsonEqual } from '../../../../core/data/json.ts'
import { useApi, useChange } from '../../api/api.ts'
import { Loaded } from '../../ui/parts.tsx'
import { t } from '../../words/words.ts'
import { Part } from '../../ui/fields.tsx'
import { useFormValues } from '../../ui/form-values.ts'
import { type PreviewPlace, SitePreview } from './site-preview.tsx'
import { ConfirmButton, EditForm, type Sending } from '../../ui/forms.tsx'
import {
  CopyrightField,
  type Look,
  ModeFields,
  PictureFields,
  StyleFields,
  HeaderTitleField,
} from './look-fields.tsx'

/** The look of one space of a site, where it differs from that of the site. */
export function SpaceLook({ place, siteSpaceId }: { place: PreviewPlace; siteSpaceId: string }) {
  const path = `${place.path}/site-spaces/${siteSpaceId}` as const
  const query = useApi(`${path}/customization`)
  const save = useChange(`PATCH ${path}/customization`, [`${path}/customization`])
  const reset = useChange(`DELETE ${path}/customization`)
  return (
    <Loaded query={query} title={t('site.look-space-cannot-shown')}>
      {(look) => (
        <>
          <LookForm
            key={JSON.stringify(look)}
            look={look}
            save={save}
            place={{ ...place, siteSpace: siteSpaceId }}
          />
          <p>
            <ConfirmButton
              label={t('site.use-look-site')}
              question={t('site.use-look-site-question')}
              text={t('site.different-settings-space-deleted')}
              change={reset}
              onConfirm={(close) => reset.mutate(undefined, { onSuccess: close })}
            />
          </p>
        </>
      )}
    </Loaded>
  )
}

/** The appearance of a site. */
export function SiteLook({ place, isEmpty }: { place: PreviewPlace; isEmpty: boolean }) {
  const { path } = place
  const query = useApi(`${path}/customization`)
  const save = useChange(`PUT ${path}/customization`, [`${path}/customization`])
  return (
    <Part title={t('common.look')}>
      <Loaded query={query} title={t('site.look-site-cannot-shown')}>
        {(look) => (
          <LookForm
            look={look}
            save={save}
            place={place}
            unable={isEmpty ? t('site.file-would-kept-space') : undefined}
          />
        )}
      </Loaded>
    </Part>
  )
}

function LookForm({
  look,
  save,
  place,
  unable,
}: {
  look: Look
  save: Sending & { mutate: (look: Look) => void }
  place: PreviewPlace
  /** Why no picture can be uploaded now. */
  unable?: string | undefined
}) {
  const form = useFormValues(look)
  const different = differences({ ...look }, { ...form.values })
  const changes = Object.keys(different).length > 0 ? JSON.stringify(different) : ''
  return (
    <div className="look">
      {/* Before the form, which is longer than a screen: the preview is for those who begin to choose. */}
      <SitePreview place={place} changes={changes} version={JSON.stringify(look)} />
      <EditForm change={save} action={t('site.save-the-look')} onSubmit={() => save.mutate(form.values)}>
        <HeaderTitleField form={form} />
        <StyleFields form={form} site={place.path} />
        <ModeFields form={form} saved={look.themes} />
        <PictureFields form={form} site={place.path} unable={unable} />
        <CopyrightField form={form} />
      </EditForm>
    </div>
  )
}

type Settings = Record<string, unknown>

/**
 * Returns the settings that differ between two looks, or two of their groups: null for a setting that the second one
 * omits. The values of a group are sent whole.
 */
function differences(before: Settings, after: Settings, areGroups = true): Settings {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return Object.fromEntries(
    names.flatMap((name): [string, unknown][] => {
      const [from, to] = [before[name], after[name]]
      if (jsonEqual(from, to)) return []
      return [
        [name, areGroups && isRecord(from) && isRecord(to) ? differences(from, to, false) : (to ?? null)],
      ]
    }),
  )
}
