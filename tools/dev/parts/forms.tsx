import { useEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { LineField } from '../../../src/console/app/ui/fields.tsx'
import { CancelButton, ConfirmButton, CreateButton, EditForm } from '../../../src/console/app/ui/forms.tsx'
import { OpenDialog } from '../../../src/console/app/ui/open-dialog.tsx'
import { DialogButton } from '../../../src/console/app/ui/parts.tsx'
import { SplitButton } from '../../../src/console/app/ui/split-button.tsx'
import { Sample, say } from './sample.tsx'

const nothing = () => undefined
const IDLE = { error: null, isPending: false, isSuccess: false }

/** Forms, and the dialogs that buttons open. */
export function Forms() {
  return (
    <>
      {/* The first one, because the field with the fault takes the focus. */}
      <Faults />
      <EditForms />
      <Dialogs />
      <Splits />
    </>
  )
}

function EditForms() {
  const [text, setText] = useState(say('Handbook', '手册'))
  const field = <LineField label={say('Title', '标题')} value={text} onChange={setText} />
  const refused = new Error(say('A site of this name is there already', '已存在同名站点'))
  const action = say('Save', '保存')
  return (
    <>
      <Sample name="EditForm: saved">
        <EditForm change={{ ...IDLE, isSuccess: true }} action={action} onSubmit={nothing}>
          {field}
        </EditForm>
      </Sample>
      <Sample name="EditForm: busy">
        <EditForm change={{ ...IDLE, isPending: true }} action={action} onSubmit={nothing} close={nothing}>
          {field}
        </EditForm>
      </Sample>
      <Sample name="EditForm: refused">
        <EditForm change={{ ...IDLE, error: refused }} action={action} onSubmit={nothing}>
          {field}
        </EditForm>
      </Sample>
      <Sample name="EditForm: disabled">
        <EditForm change={IDLE} action={action} onSubmit={nothing} unable="unable">
          {field}
          <p id="unable" className="hint">
            {say('The space is locked.', '空间已锁定。')}
          </p>
        </EditForm>
      </Sample>
    </>
  )
}

function Splits() {
  const label = say('More ways', '更多方式')
  const choices = [{ id: 'propose', title: say('Propose a change', '提议更改'), onChoose: nothing }]
  return (
    <Sample name="SplitButton: the main one, and another">
      <SplitButton label={label} choices={choices} kind="button main">
        <Button className="button main">{say('Edit', '编辑')}</Button>
      </SplitButton>{' '}
      <SplitButton label={label} choices={choices}>
        <Button className="button">{say('Edit', '编辑')}</Button>
      </SplitButton>
    </Sample>
  )
}

/** The browser checks the fields of the form as when somebody sends it. */
function Faults() {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    place.current?.querySelector('form')?.checkValidity()
  }, [])
  return (
    <Sample name="FieldProblem: of fields that lack a value, or have a wrong one">
      <div ref={place}>
        <EditForm change={IDLE} action={say('Save', '保存')} onSubmit={nothing}>
          <LineField label={say('Name', '名称')} value="" onChange={nothing} isRequired />
          <LineField label={say('Address', '地址')} type="url" value="example" onChange={nothing} />
        </EditForm>
      </div>
    </Sample>
  )
}

function Dialogs() {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const create = {
    ...IDLE,
    mutate: (_: object, { onSuccess }: { onSuccess: (made: object) => void }) => onSuccess({}),
  }
  return (
    <>
      <Sample name="DialogButton: a button, a small one, disabled">
        <div className="actions">
          {(['button', 'small quiet'] as const).map((kind) => (
            <DialogButton
              key={kind}
              kind={kind}
              label={say('Share', '分享')}
              title={say('Share this page', '分享此页面')}
            >
              {(close) => (
                <>
                  <p>{say('Readers with the link can see it.', '拥有链接的读者可以看到它。')}</p>
                  <div className="actions">
                    <CancelButton close={close} />
                  </div>
                </>
              )}
            </DialogButton>
          ))}
          <DialogButton label={say('Publish', '发布')} title="" unable="locked">
            {nothing}
          </DialogButton>
        </div>
        <p id="locked" className="hint">
          {say('You need the role of an administrator.', '您需要管理员角色。')}
        </p>
      </Sample>
      <Sample name="CreateButton">
        <CreateButton
          label={say('New site', '新建站点')}
          create={create}
          body={{ title: text }}
          onCreated={() => setText('')}
        >
          <LineField label={say('Title', '标题')} value={text} onChange={setText} isRequired autoFocus />
        </CreateButton>
      </Sample>
      <Sample name="ConfirmButton: asks, and was refused">
        <div className="actions">
          <ConfirmButton
            label={say('Delete', '删除')}
            name={say('Handbook', '手册')}
            question={say('Delete this site?', '删除此站点？')}
            text={say('Readers can no longer open it.', '读者将无法再打开它。')}
            change={IDLE}
            onConfirm={(close) => close()}
          />
          <ConfirmButton
            label={say('Remove', '移除')}
            question={say('Remove Ada from the team?', '将 Ada 移出团队？')}
            text={say('She loses what the team may see.', '她将失去团队可见的内容。')}
            change={{ ...IDLE, error: new Error(say('The team needs a member', '团队需要一名成员')) }}
            onConfirm={nothing}
          />
        </div>
      </Sample>
      <Sample name="OpenDialog">
        <Button className="button" onPress={() => setOpen(true)}>
          {say('Open', '打开')}
        </Button>
        {isOpen && (
          <OpenDialog title={say('Conflicts', '冲突')} describedBy="conflicts" onClose={() => setOpen(false)}>
            <p id="conflicts">{say('Somebody else has changed this page.', '其他人更改了此页面。')}</p>
            <div className="actions">
              <CancelButton close={() => setOpen(false)} autoFocus />
            </div>
          </OpenDialog>
        )}
      </Sample>
    </>
  )
}
