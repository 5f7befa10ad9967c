import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Button } from 'react-aria-components'
import { api } from '../../api/api.ts'
import { forPeople } from '../../words/refusals.ts'
import { t } from '../../words/words.ts'

/**
 * Lists what the source of a page hides from its readers, such as what follows a tag that only looks like a condition. It
 * takes no focus: the writer may be in the middle of a word.
 * @param goTo moves the caret to a line
 */
export function SourceProblems({
  spaceId,
  source,
  goTo,
}: {
  spaceId: string
  source: string
  goTo: (line: number) => void
}) {
  const { data: problems = [] } = useQuery({
    queryKey: ['source-problems', spaceId, source],
    queryFn: async ({ signal }) => {
      const body = { markdown: source, form: 'page' as const }
      const read = await api(`POST /spaces/${spaceId}/content/markdown`, body, signal)
      return read.problems ?? []
    },
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    // Every version of the source has another key.
    gcTime: 0,
  })
  return (
    <div role="status">
      {problems.length > 0 && (
        <section className="source-problems" aria-labelledby="source-problems-title">
          <h2 id="source-problems-title">{t('source.readers-do-not-see')}</h2>
          <ul>
            {problems.map(({ line, ...problem }) => (
              <li key={`${line} ${problem.message}`}>
                {line !== undefined && (
                  <Button className="button" onPress={() => goTo(line)}>
                    {t('source.line-line', { line })}
                  </Button>
                )}
                <span>{forPeople(problem)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
