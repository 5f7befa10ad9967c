import { greatest } from '../../../../core/data/lists.ts'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { BarChart } from '../../ui/bar-chart.tsx'
import { ChoiceField, Part } from '../../ui/fields.tsx'
import { SiteFrame } from './site-frame.tsx'
import { api } from '../../api/api.ts'
import { Loaded } from '../../ui/parts.tsx'
import { language, t } from '../../words/words.ts'
import type { SitePath } from '../../api/paths.ts'
import type { Schemas } from '../../api/operations/schemas.ts'

type Range = 'last24Hours' | 'last7Days' | 'last30Days' | 'last3Months' | 'lastYear'
const RANGES: readonly Range[] = ['last24Hours', 'last7Days', 'last30Days', 'last3Months', 'lastYear']
const LONGEST = 15

type InsightColumn = Schemas['InsightColumn']

/** The subject of a table of counts: the values of a column in the events of a kind. */
interface CountOf {
  title: string
  column: InsightColumn['column']
  kind: string
  /** How a value is shown; as it is by default. */
  label?: (value: string) => string
}

/** The screen about the activity of visitors on a site. */
export function SiteInsightsScreen({ params }: { params: Record<string, string> }) {
  const [search, setSearch] = useSearchParams()
  const range = RANGES.find((one) => one === search.get('range')) ?? 'last30Days'
  const names: Record<Range, string> = {
    last24Hours: t('site.last-24-hours'),
    last7Days: t('site.last-7-days'),
    last30Days: t('site.last-30-days'),
    last3Months: t('site.last-3-months'),
    lastYear: t('site.last-year'),
  }
  const counts: CountOf[] = [
    {
      title: t('common.pages'),
      column: 'url',
      kind: 'page_view',
      label: (value) => URL.parse(value)?.pathname ?? value,
    },
    { title: t('site.searches'), column: 'eventSearchQuery', kind: 'search_type_query' },
    { title: t('site.where-readers-come'), column: 'referrerDomain', kind: 'page_view' },
    {
      title: t('site.comments-on-pages'),
      column: 'eventPageFeedbackComment',
      kind: 'page_post_feedback_comment',
    },
    { title: t('site.devices'), column: 'visitorDevice', kind: 'page_view' },
    { title: t('common.languages'), column: 'visitorLanguage', kind: 'page_view' },
  ]
  return (
    <SiteFrame params={params} title={t('site.insights')} isForMembers>
      {({ path }) => (
        <>
          <ChoiceField
            label={t('common.time')}
            value={range}
            onChange={(next) => setSearch(next === 'last30Days' ? {} : { range: next })}
            options={RANGES.map((one) => [one, names[one]])}
          />
          <Views path={path} range={range} />
          {counts.map((one) => (
            <Most key={one.title} path={path} range={range} {...one} />
          ))}
        </>
      )}
    </SiteFrame>
  )
}

/** Counts events of a kind, by a column. */
function useCounts(path: SitePath, body: { range: Range; by: InsightColumn; kind: string; limit?: number }) {
  const { range, by, kind, limit } = body
  const isTime = by.column === 'datetime'
  return useQuery({
    queryKey: ['insights', path, body],
    queryFn: ({ signal }) =>
      api(
        `POST ${path}/insights/events/aggregate`,
        {
          select: [by, { column: 'eventsCount' }, { column: 'visitorsCount' }],
          where: [{ column: 'eventType', values: [kind] }],
          order: isTime ? { by, direction: 'asc' } : { by: { column: 'eventsCount' }, direction: 'desc' },
          range,
          ...(limit === undefined ? {} : { limit }),
        },
        signal,
      ),
  })
}

const numbers = (values: readonly unknown[]): number[] => values.map(Number)

type Interval = 'hour' | 'day' | 'month'

const LENGTHS: Record<Range, number> = {
  last24Hours: 24,
  last7Days: 7,
  last30Days: 30,
  last3Months: 90,
  lastYear: 12,
}

/** When each interval of a range begins, in UTC, so that those without an event are shown too. */
function timesOf(range: Range, interval: Interval): number[] {
  const now = new Date()
  const [year, month, day, hour] = [
    now.getUTCFullYear(),
    now.getUTCMonth(),
    now.getUTCDate(),
    now.getUTCHours(),
  ]
  const before = {
    hour: (count: number) => Date.UTC(year, month, day, hour - count),
    day: (count: number) => Date.UTC(year, month, day - count),
    month: (count: number) => Date.UTC(year, month - count),
  }
  return Array.from({ length: LENGTHS[range] }, (_, count) => before[interval](count))
}

/** How often pages were viewed, over time. */
function Views({ path, range }: { path: SitePath; range: Range }) {
  const interval: Interval = range === 'last24Hours' ? 'hour' : range === 'lastYear' ? 'month' : 'day'
  const query = useCounts(path, { range, by: { column: 'datetime', interval }, kind: 'page_view' })
  const format = new Intl.DateTimeFormat(language, {
    timeZone: 'UTC',
    ...(interval === 'hour'
      ? { hour: 'numeric', minute: 'numeric' }
      : interval === 'month'
        ? { month: 'long', year: 'numeric' }
        : { day: 'numeric', month: 'short' }),
  })
  return (
    <Part title={t('site.views')}>
      <Loaded query={query} title={t('site.views-cannot-shown')}>
        {({ columns: [times, events, visitors] }) => {
          const found = (times?.values ?? []).map((time) => new Date(String(time)).getTime())
          const all = [...new Set([...timesOf(range, interval), ...found])].toSorted((x, y) => x - y)
          const at = (values: readonly unknown[] = []) =>
            all.map((time) => Number(values[found.indexOf(time)] ?? 0))
          return (
            <BarChart
              title={t('site.views')}
              labels={all.map((time) => format.format(time))}
              columns={[
                [t('site.views'), at(events?.values)],
                [t('site.visitors'), at(visitors?.values)],
              ]}
            />
          )
        }}
      </Loaded>
    </Part>
  )
}

/** The most frequent values of a column. */
function Most({
  path,
  range,
  title,
  column,
  kind,
  label = (value) => value,
}: CountOf & { path: SitePath; range: Range }) {
  const query = useCounts(path, { range, by: { column }, kind, limit: LONGEST })
  return (
    <Part title={title}>
      <Loaded query={query} title={t('site.numbers-cannot-shown')}>
        {({ columns: [values, events] }) => {
          const counts = numbers(events?.values ?? [])
          const most = greatest(counts, 1)
          const rows = (values?.values ?? []).flatMap((value, i) =>
            typeof value === 'string' ? [{ name: label(value), count: counts[i] ?? 0 }] : [],
          )
          if (rows.length === 0) return <p className="hint">{t('common.nothing-counted-time')}</p>
          return (
            <table className="values counted">
              <tbody>
                {rows.map(({ name, count }) => (
                  <tr key={name}>
                    <th scope="row">{name}</th>
                    <td>{count.toLocaleString(language)}</td>
                    <td aria-hidden="true">
                      <svg viewBox="0 0 100 10" preserveAspectRatio="none">
                        <rect width={(100 * count) / most} height="10" />
                      </svg>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }}
      </Loaded>
    </Part>
  )
}
