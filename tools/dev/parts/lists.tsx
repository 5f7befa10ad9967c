import { useState } from 'react'
import { BarChart } from '../../../src/console/app/ui/bar-chart.tsx'
import { Values } from '../../../src/console/app/ui/values.tsx'
import { By } from '../../../src/console/app/ui/by.tsx'
import { DraggedRow, StepButtons } from '../../../src/console/app/ui/dragged-row.tsx'
import { EmptyHint, More, Rows } from '../../../src/console/app/ui/parts.tsx'
import { Sample, say } from './sample.tsx'

const nothing = () => undefined
const READ = {
  error: null,
  isFetching: false,
  isLoading: false,
  isSuccess: true,
  hasNextPage: false,
  refetch: nothing,
  fetchNextPage: nothing,
}

/** Lists and what their rows have, and charts. */
export function Lists() {
  const sites = [say('Handbook', '手册'), say('API reference', 'API 参考')]
  const fault = new Error(say('The list could not be read', '无法读取列表'))
  const empty = say('There are no sites yet.', '还没有站点。')
  return (
    <>
      <Sample name="Rows, with more to read">
        <Rows list={{ ...READ, items: sites, hasNextPage: true }} empty={empty}>
          {(title) => <li key={title}>{title}</li>}
        </Rows>
      </Sample>
      <Sample name="EmptyHint: an empty list">
        <EmptyHint list={{ isSuccess: true, items: [] }}>{empty}</EmptyHint>
      </Sample>
      <Sample name="More: loading">
        <More list={{ ...READ, isLoading: true }} />
      </Sample>
      <Sample name="More: failed">
        <More list={{ ...READ, error: fault }} />
      </Sample>
      <Sample name="More: busy">
        <More list={{ ...READ, hasNextPage: true, isFetching: true }} />
      </Sample>
      <Sample name="By">
        <By
          user={{ object: 'user', id: 'u1', displayName: 'Ada Lovelace', urls: { location: '/v1/users/u1' } }}
          at={new Date(Date.now() - 3 * 3_600_000).toISOString()}
          did={say('merged this', '合并了此请求')}
        />
      </Sample>
      <Dragged />
      <Sample name="Values">
        <Values
          rows={[
            [say('Branch', '分支'), 'main'],
            [say('Last synced', '上次同步'), say('this minute', '这一分钟内')],
          ]}
        />
      </Sample>
      <Sample name="BarChart">
        <BarChart
          title={say('Views', '浏览量')}
          labels={['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05', '2026-01-06']}
          columns={[[say('Views', '浏览量'), [12, 40, 0, 25, 1200, 300]]]}
        />
      </Sample>
      <Sample name="BarChart: nothing was counted">
        <BarChart title={say('Searches', '搜索')} labels={[]} columns={[[say('Searches', '搜索'), []]]} />
      </Sample>
    </>
  )
}

function Dragged() {
  const [names, setNames] = useState([
    say('Guides', '指南'),
    say('Reference', '参考'),
    say('Changes', '变更'),
  ])
  const moveTo = (name: string, index: number) =>
    setNames(names.filter((one) => one !== name).toSpliced(index, 0, name))
  return (
    <Sample name="DraggedRow, StepButtons">
      {names.map((name, index) => (
        <DraggedRow
          key={name}
          list="parts"
          id={name}
          name={name}
          takes={(_, share) => (share < 0.5 ? 'before' : 'after')}
          onDrop={(other, place) => {
            const target = names.filter((one) => one !== other).indexOf(name)
            moveTo(other, place === 'before' ? target : target + 1)
          }}
          onStep={(by) => moveTo(name, Math.max(0, index + by))}
        >
          <div className="actions">
            <span>{name}</span>
            <StepButtons
              name={name}
              isFirst={index === 0}
              isLast={index === names.length - 1}
              onStep={(by) => moveTo(name, index + by)}
            />
          </div>
        </DraggedRow>
      ))}
    </Sample>
  )
}
