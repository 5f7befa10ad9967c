/** Numbers over time: a chart for the eye, and a table for everybody. */
import { greatest } from '../../../core/data/lists.ts'
import { language, t } from '../words/words.ts'

const HEIGHT = 100
/** The width of a bar with the space beside it. */
const STEP = 10

/** A chart of the first column, and a table of all. */
export function BarChart({
  title,
  labels,
  columns,
}: {
  title: string
  labels: readonly string[]
  columns: readonly (readonly [name: string, values: readonly number[]])[]
}) {
  const [, values = []] = columns[0] ?? []
  const highest = greatest(values, 1)
  if (values.every((one) => one === 0)) return <p className="hint">{t('common.nothing-counted-time')}</p>
  return (
    <>
      <svg
        className="bar-chart"
        viewBox={`0 0 ${values.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {values.map((value, i) => {
          const height = (HEIGHT * value) / highest
          return (
            <rect
              key={`${i} ${labels[i] ?? ''}`}
              x={i * STEP + 1}
              y={HEIGHT - height}
              width={STEP - 2}
              height={height}
            >
              <title>{`${labels[i] ?? ''}: ${value.toLocaleString(language)}`}</title>
            </rect>
          )
        })}
      </svg>
      <p className="bar-chart-ends" aria-hidden="true">
        <span>{labels[0]}</span>
        <span>{labels.at(-1)}</span>
      </p>
      <details>
        <summary>{t('common.as-a-table')}</summary>
        <table className="values">
          <caption className="unseen">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t('common.time')}</th>
              {columns.map(([name]) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, i) => (
              <tr key={`${i} ${label}`}>
                <th scope="row">{label}</th>
                {columns.map(([name, all]) => (
                  <td key={name}>{all[i]?.toLocaleString(language)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  )
}
