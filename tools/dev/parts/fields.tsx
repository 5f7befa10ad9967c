import { useState } from 'react'
import { ConditionField } from '../../../src/console/app/ui/condition-field.tsx'
import {
  CheckField,
  ChoiceField,
  CopyButton,
  LineField,
  Passed,
} from '../../../src/console/app/ui/fields.tsx'
import { IconPicker } from '../../../src/console/app/ui/icon-picker.tsx'
import { DrawnIcon, PageIcon, useIcons } from '../../../src/console/app/ui/icons.tsx'
import { LanguageField } from '../../../src/console/app/ui/language-field.tsx'
import { type Chosen, PersonField } from '../../../src/console/app/ui/person-field.tsx'
import { PictureField, UploadedPicture } from '../../../src/console/app/ui/picture-field.tsx'
import { guest, noAccess, RoleField } from '../../../src/console/app/ui/role-field.tsx'
import { ORGANIZATION, PICTURE } from './answers.ts'
import { Sample, say } from './sample.tsx'

const nothing = () => undefined
const SITE = `/orgs/${ORGANIZATION}/sites/parts` as const

/** The fields of forms. Where a field is required, the family of forms shows its fault. */
export function Fields() {
  return (
    <>
      {/* The first one, because it takes the focus. */}
      <Icons />
      <Lines />
      <Choices />
      <Conditions />
      <People />
      <Pictures />
      <Sample name="CopyButton, Passed">
        <CopyButton text="copied" />
        <Passed text="https://docs.example.com/~share/4f9c0e7a1b2d3c4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60" />
        <Passed text="lec_8d2f1c" label={say('Copy the token', '复制令牌')} />
      </Sample>
    </>
  )
}

function Lines() {
  const [text, setText] = useState(say('Handbook', '手册'))
  const title = say('Title', '标题')
  return (
    <>
      <Sample name="LineField: filled, with a hint">
        <LineField
          label={title}
          value={text}
          onChange={setText}
          hint={say('Readers see it in the list of sites.', '读者在站点列表中看到它。')}
        />
      </Sample>
      <Sample name="LineField: empty, required">
        <LineField label={title} value="" onChange={nothing} isRequired />
      </Sample>
      <Sample name="LineField: types">
        <div className="fields-row">
          <LineField label={say('Search', '搜索')} type="search" value={text} onChange={setText} />
          <LineField label={say('Date', '日期')} type="date" value="2026-01-31" onChange={nothing} />
          <LineField label={say('Colour', '颜色')} type="color" value="#33658a" onChange={nothing} />
        </div>
      </Sample>
    </>
  )
}

function Choices() {
  const [spoken, setSpoken] = useState('de')
  const [kind, setKind] = useState<'public' | 'hidden'>('public')
  const [role, setRole] = useState<'edit' | 'read' | ''>('edit')
  const [isOn, setOn] = useState(true)
  const label = say('Visibility', '可见性')
  const options = [
    ['public', say('Everyone', '所有人')],
    ['hidden', say('Only people with the link', '仅限拥有链接的人')],
  ] as const
  const roles = {
    label: say('Role', '角色'),
    value: role,
    onChange: (one: string) => setRole(one as typeof role),
  }
  return (
    <>
      <Sample name="ChoiceField: chosen, bare, disabled">
        <ChoiceField
          label={label}
          value={kind}
          onChange={setKind}
          options={options}
          hint={say('It takes a minute to change.', '更改需要一分钟。')}
        />
        <ChoiceField label={`${label} (bare)`} value={kind} onChange={setKind} options={options} isBare />
        <ChoiceField
          label={`${label} (disabled)`}
          value={kind}
          onChange={setKind}
          options={options}
          isDisabled
        />
      </Sample>
      <Sample name="LanguageField: chosen, none">
        <LanguageField label={say('Language', '语言')} value={spoken} onChange={setSpoken} />
        <LanguageField
          label={say('Second language', '第二语言')}
          value=""
          onChange={nothing}
          none={say('Not set', '未设置')}
        />
      </Sample>
      <Sample name="CheckField: on, off, disabled">
        <CheckField label={say('Show the cover', '显示封面')} isChecked={isOn} onChange={setOn} />
        <CheckField
          label={say('Hide the page', '隐藏页面')}
          isChecked={!isOn}
          onChange={(on) => setOn(!on)}
        />
        <CheckField
          label={say('Publish a PDF', '发布 PDF')}
          isChecked={false}
          onChange={nothing}
          unable="no-pdf"
        />
        <p id="no-pdf" className="hint">
          {say('The server makes no PDF files.', '服务器不生成 PDF 文件。')}
        </p>
      </Sample>
      <Sample name="RoleField: chosen, without a role, bare, disabled">
        <RoleField {...roles} others={[guest()]} />
        <RoleField {...roles} value="" label={say('Access', '访问权限')} others={[noAccess()]} />
        <RoleField {...roles} label={say('Role of Ada', 'Ada 的角色')} others={[]} isBare />
        <RoleField {...roles} label={say('Role of the owner', '所有者的角色')} others={[]} unable="owner" />
        <p id="owner" className="hint">
          {say('The owner keeps their role.', '所有者保留其角色。')}
        </p>
      </Sample>
    </>
  )
}

function Conditions() {
  const label = say('Who sees it', '谁能看到')
  return (
    <>
      <Sample name="ConditionField: everyone">
        <ConditionField label={label} value="" onChange={nothing} />
      </Sample>
      <Sample name="ConditionField: a claim">
        <ConditionField label={label} value={'visitor.claims.plan == "pro"'} onChange={nothing} />
      </Sample>
      <Sample name="ConditionField: a condition">
        <ConditionField label={label} value="visitor.claims.beta && space.vars.beta" onChange={nothing} />
      </Sample>
    </>
  )
}

function People() {
  const [chosen, setChosen] = useState<Chosen | undefined>({ kind: 'user', id: 'u1', name: 'Ada Lovelace' })
  return (
    <Sample name="PersonField: chosen, empty, bare">
      <PersonField
        organizationId={ORGANIZATION}
        label={say('Owner', '所有者')}
        value={chosen}
        onChange={setChosen}
      />
      <PersonField
        organizationId={ORGANIZATION}
        label={say('Person or team', '人员或团队')}
        onChange={nothing}
        withTeams
      />
      <PersonField
        organizationId={ORGANIZATION}
        label={say('Reviewer', '审阅者')}
        onChange={nothing}
        isBare
      />
    </Sample>
  )
}

function Pictures() {
  const [url, setUrl] = useState('')
  const refused = new Error(say('The picture is larger than 1 MB', '图片超过 1 MB'))
  return (
    <>
      <Sample name="PictureField: empty">
        <PictureField site={SITE} label={say('Logo', '标志')} url={url} onChange={setUrl} />
      </Sample>
      <Sample name="UploadedPicture: filled, refused">
        <UploadedPicture
          label={say('Cover', '封面')}
          url={PICTURE}
          onChange={nothing}
          onFile={nothing}
          error={refused}
        />
      </Sample>
      <Sample name="UploadedPicture: busy, not possible">
        <UploadedPicture label={say('Icon', '图标')} url="" onChange={nothing} onFile={nothing} isSending />
        <UploadedPicture
          label={say('Banner', '横幅')}
          url=""
          onChange={nothing}
          onFile={nothing}
          unable={say('Save the site first.', '请先保存站点。')}
        />
      </Sample>
    </>
  )
}

function Icons() {
  const rocket = useIcons()?.get('rocket')
  return (
    <>
      <Sample name="IconPicker">
        <IconPicker hasIcon onChoose={nothing} />
      </Sample>
      <Sample name="DrawnIcon, PageIcon">
        <p>
          {rocket && <DrawnIcon drawing={rocket} />} <PageIcon name="fa-solid fa-book" />{' '}
          {say('in a line of text', '在一行文字中')}
        </p>
      </Sample>
    </>
  )
}
