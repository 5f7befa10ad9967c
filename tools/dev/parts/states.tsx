import { Button } from 'react-aria-components'
import { Link } from 'wouter'
import { Face } from '../../../src/console/app/ui/face.tsx'
import { Frame, Part } from '../../../src/console/app/ui/fields.tsx'
import { Failure, LinkRow, Loaded, Loading, Named, Refusal } from '../../../src/console/app/ui/parts.tsx'
import { PlaceSign } from '../../../src/console/app/ui/signs.tsx'
import { Skeleton } from '../../../src/console/app/ui/skeleton.tsx'
import { tellDone, Toasts } from '../../../src/console/app/ui/toasts.tsx'
import { TreeFrame } from '../../../src/console/app/ui/tree-frame.tsx'
import { Sample, say } from './sample.tsx'

const nothing = () => undefined

/** What is shown while something loads, when it fails and when it is done, and the frames around it. */
export function States() {
  const fault = new Error(say('The database does not answer', '数据库没有响应'))
  const title = say('The site could not be read', '无法读取站点')
  const query = { data: undefined, error: null, refetch: nothing }
  return (
    <>
      <Sample name="Loading">
        <Loading />
      </Sample>
      <Sample name="Skeleton: lines, cards">
        <Skeleton />
        <Skeleton lines={2} kind="cards" />
      </Sample>
      <Sample name="Face: a letter, an emoji">
        <Face id="handbook" name={say('Handbook', '手册')} />
        <Face id="guide" name={say('Guide', '指南')} emoji="1f4d8" />
      </Sample>
      <Sample name="PlaceSign">
        <PlaceSign name="home" />
      </Sample>
      <Sample name="Failure">
        <Failure title={title} error={fault} retry={nothing} />
      </Sample>
      <Sample name="Loaded: loaded">
        <Loaded query={{ ...query, data: say('Handbook', '手册') }} title={title}>
          {(text) => <p>{text}</p>}
        </Loaded>
      </Sample>
      <Sample name="Loaded: failed">
        <Loaded query={{ ...query, error: fault }} title={title}>
          {() => null}
        </Loaded>
      </Sample>
      <Sample name="Refusal: of a change, of a request, while it is sent again">
        <Refusal error={fault} />
        <Refusal query={{ error: fault, isFetching: false, refetch: nothing }} />
        <Refusal query={{ error: fault, isFetching: true, refetch: nothing }} />
      </Sample>
      <Sample name="Toasts">
        <div className="actions">
          <Button className="button" onPress={() => tellDone(say('The page was moved.', '页面已移动。'))}>
            {say('Without undo', '不可撤销')}
          </Button>
          <Button
            className="button"
            onPress={() => tellDone(say('The page was deleted.', '页面已删除。'), nothing)}
          >
            {say('With undo', '可撤销')}
          </Button>
        </div>
        <Toasts />
      </Sample>
      <Frames />
    </>
  )
}

function Frames() {
  const links = [
    ['/~parts', say('Settings', '设置')],
    ['/~parts/people', say('People', '人员')],
    ['/~parts/redirects', say('Redirects', '重定向')],
    ['/~parts/insights', say('Insights', '分析')],
  ] as const
  return (
    <>
      <Sample name="Frame, with its Trail and Part">
        <Frame
          trail={[{ title: say('Organization', '组织'), to: '/~parts' }]}
          title={say('A site', '站点')}
          label={say('Site', '站点')}
          links={links}
          actions={<Button className="button">{say('Open', '打开')}</Button>}
        >
          <Part
            title={say('Address', '地址')}
            actions={<Button className="small">{say('Change', '更改')}</Button>}
          >
            <p>docs.example.com</p>
          </Part>
        </Frame>
      </Sample>
      <Sample name="LinkRow, Named">
        <LinkRow label={say('Views', '视图')} kind="tabs">
          {links.map(([to, name], index) => (
            <Link key={to} href={to} aria-current={index === 1 ? 'page' : undefined}>
              <Named name={say('of the site', '（站点）')}>{name}</Named>
            </Link>
          ))}
        </LinkRow>
      </Sample>
      <Sample name="TreeFrame">
        <TreeFrame>
          <p>
            {say(
              'A page tree, which a phone shows when its button is pressed.',
              '页面树，手机上按下按钮后显示。',
            )}
          </p>
        </TreeFrame>
      </Sample>
    </>
  )
}
