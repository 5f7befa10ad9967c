/** The result of an import: the imported content, and the problems that somebody should look at. */
import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { go, useApi } from '../api/api.ts'
import { forPeople } from '../words/refusals.ts'
import type { Refused } from '../words/refusal-text.ts'
import { t } from '../words/words.ts'
import { CopyButton } from '../ui/fields.tsx'
import type { Schemas } from '../api/operations/schemas.ts'
import type { DiscussedPath } from '../api/paths.ts'

interface ImportProblem extends Refused {
  kind: string
  path: string
  line?: number
  /** The file that is written there. */
  address?: string
}

/** The answer of the API to an import. */
export type ImportAnswer = Schemas['ImportResult']

/** The space, or the change request, that an import wrote to. */
export interface ImportPlace {
  spaceId: string
  /** The number of the change request. */
  number?: number | undefined
}

/** Returns a description of a kind of problem, with advice. */
const adviceOn = (kind: string): string =>
  ({
    'missing-page': t('import.table-contents-lists-these-pages'),
    'missing-file': t('import.these-pages-show-picture'),
    unreadable: t('import.these-pages-could-not'),
    condition: t('import.conditions-these-pages-hide'),
    block: t('import.part-these-pages-looks'),
    setting: t('import.these-settings-could-not'),
    redirect: t('import.these-redirects-lead-nowhere'),
    'unlisted-page': t('import.these-pages-were-left'),
    mdx: t('import.these-files-written-docusaurus'),
    'repeated-page': t('import.table-contents-lists-these'),
    'outside-picture': t('import.these-pages-show-outside'),
    'unused-file': t('import.no-page-uses-these'),
  })[kind] ?? t('import.something-lost-these-places')

/** Returns the detail of a problem besides advice and place: the file that it names, or the message of the server. */
function detailOf(problem: ImportProblem): string | undefined {
  const { kind, address } = problem
  if (kind === 'mdx' || kind === 'unused-file') return undefined
  return (/^(?:missing|repeated|outside)-/.test(kind) ? address : undefined) ?? forPeople(problem)
}

/** A problem in a line of text, for a list that people work through elsewhere. */
const problemLine = ({ path, line, address, ...why }: ImportProblem): string =>
  [path + (line === undefined ? '' : `:${line}`), address, forPeople(why)].filter(Boolean).join('\t')

/** The kinds of problems by their effects on readers. All others are to check. */
const EFFECTS: Record<string, 'left-out' | 'not-shown' | 'missing'> = {
  redirect: 'left-out',
  'unlisted-page': 'left-out',
  mdx: 'left-out',
  unreadable: 'not-shown',
  block: 'not-shown',
  'missing-page': 'missing',
  'missing-file': 'missing',
}

/** The numbers of problems by their effects, in one line. */
function totalsOf(problems: readonly ImportProblem[]): string {
  const effects = Map.groupBy(problems, ({ kind }) =>
    Object.hasOwn(EFFECTS, kind) ? EFFECTS[kind] : undefined,
  )
  const count = (effect: 'left-out' | 'not-shown' | 'missing' | undefined) => effects.get(effect)?.length ?? 0
  const totals = [
    count('left-out') > 0 && t('import.count-left-out', { count: count('left-out') }),
    count('not-shown') > 0 && t('import.count-not-shown', { count: count('not-shown') }),
    count('missing') > 0 && t('import.count-missing', { count: count('missing') }),
    count(undefined) > 0 && t('import.count-to-check', { count: count(undefined) }),
  ]
  return totals.filter(Boolean).join(' · ')
}

/** The problems that are shown of each kind. */
const SHOWN = 100

/** The report of an import, with a way to what it made. */
export function ImportReport({
  answer: { recognized, importedPages, importedFiles, problems },
  place: { spaceId, number },
  close,
}: {
  answer: ImportAnswer
  place: ImportPlace
  close: () => void
}) {
  const kinds = [...Map.groupBy(problems, ({ kind }) => kind)]
  return (
    <>
      <p role="status">
        {t('import.import-done-pages-pages', {
          pages: importedPages,
          files: importedFiles,
        })}
      </p>
      {recognized && (
        <p className="hint">
          {t('import.recognized-converted', { name: recognized.name, path: recognized.path })}
        </p>
      )}
      <BrokenLinks place={{ spaceId, number }} close={close} />
      {problems.length > 0 && <p>{totalsOf(problems)}</p>}
      {problems.length > 0 && (
        <div className="report" role="group" tabIndex={0} aria-label={t('import.problems')}>
          {kinds.map(([kind, all]) => (
            <section key={kind}>
              <p>{adviceOn(kind)}</p>
              <ul className="rows">
                {all.slice(0, SHOWN).map((problem, at) => (
                  <li key={`${at} ${problem.path}`}>
                    <span className="name">
                      <code>
                        {problem.path}
                        {problem.line !== undefined && `:${problem.line}`}
                      </code>
                      <span>{detailOf(problem)}</span>
                    </span>
                  </li>
                ))}
              </ul>
              {all.length > SHOWN && (
                <p className="hint">{t('import.and-count-more', { count: all.length - SHOWN })}</p>
              )}
            </section>
          ))}
        </div>
      )}
      <div className="actions">
        <Button
          className="button main"
          // The button that began the import is gone, and the focus with it.
          autoFocus
          onPress={() => {
            close()
            go(number === undefined ? `/s/${spaceId}` : `/s/${spaceId}/~/changes/${number}`)
          }}
        >
          {number === undefined ? t('import.open-the-space') : t('import.open-change-request')}
        </Button>
        <Button className="button" onPress={close}>
          {t('common.done')}
        </Button>
        {problems.length > 0 && (
          <CopyButton text={problems.map(problemLine).join('\n')} label={t('import.copy-the-report')} />
        )}
      </div>
    </>
  )
}

/** The number of broken links after the import, and a link to the list of them. */
function BrokenLinks({ place: { spaceId, number }, close }: { place: ImportPlace; close: () => void }) {
  const line: DiscussedPath =
    number === undefined ? `/spaces/${spaceId}` : `/spaces/${spaceId}/change-requests/${number}`
  const screen = number === undefined ? `/s/${spaceId}/~/links` : `/s/${spaceId}/~/changes/${number}/links`
  const broken = useApi(`${line}/links?status=broken&limit=1`, { live: true })
  if (!broken.data) return null
  const { count } = broken.data
  return (
    <p role="status">
      {count === 0 ? t('common.no-link-broken') : t('import.broken-links-count', { count })}{' '}
      {count > 0 && (
        <Link href={screen} onClick={close}>
          {t('import.show-broken-links')}
        </Link>
      )}
    </p>
  )
}
