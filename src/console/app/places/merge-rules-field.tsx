import { useId } from 'react'
import { Button } from 'react-aria-components'
import { useApi } from '../api/api.ts'
import { t } from '../words/words.ts'
import { CheckField, ChoiceField } from '../ui/fields.tsx'
import { PersonField } from '../ui/person-field.tsx'
import type { MergeRules, MergeRuleSetting } from '../api/settings-types.ts'
import type { MemberPath } from '../api/paths.ts'

type Rules = Extract<MergeRules, { type: 'rules' }>
type PeopleRule = Extract<MergeRuleSetting, { users: string[] }>
type PlainRule = Exclude<MergeRuleSetting, PeopleRule | { rule: 'custom' }>

const plainRules = (): [rule: PlainRule['rule'], title: string][] => [
  ['require_at_least_one_review', t('place.somebody-else-approved-change')],
  ['require_all_reviews_approved', t('place.every-reviewer-approved')],
  ['require_up_to_date_change_request', t('place.contains-latest-content-space')],
  ['require_change_request_subject', t('place.it-has-a-subject')],
  ['require_change_request_description', t('place.it-has-a-description')],
]

const userRules = (): [rule: PeopleRule['rule'], title: string][] => [
  ['require_specific_reviewers', t('place.all-these-people-approved')],
  ['require_one_of_specific_reviewers', t('place.one-these-people-approved')],
  ['allow_bypass', t('place.these-people-may-merge')],
]

/**
 * The rules of merging, to choose by ticking.
 * @param others the choices without rules of their own
 */
export function MergeRulesField<Other extends 'inherit' | 'none'>({
  value,
  onChange,
  organizationId,
  others,
}: {
  value: { type: Other } | Rules
  onChange: (value: { type: NoInfer<Other> } | Rules) => void
  organizationId: string
  others: readonly (readonly [type: Other, title: string])[]
}) {
  const id = useId()
  const { rules = [] }: { type: string; rules?: MergeRuleSetting[] } = value
  const set = (next: MergeRuleSetting[]) => onChange({ type: 'rules', rules: next })
  const without = (rule: string) => rules.filter((one) => one.rule !== rule)
  return (
    <>
      <ChoiceField
        label={t('place.before-change-request-merged')}
        value={value.type}
        onChange={(type) => onChange(type === 'rules' ? { type, rules } : { type })}
        options={[...others, ['rules', t('place.these-rules-apply')]]}
      />
      {value.type === 'rules' && (
        <div role="group" aria-labelledby={id} className="choices">
          <span id={id} className="unseen">
            {t('place.rules')}
          </span>
          {plainRules().map(([rule, title]) => (
            <CheckField
              key={rule}
              label={title}
              isChecked={rules.some((one) => one.rule === rule)}
              onChange={(isOn) => set(isOn ? [...rules, { rule }] : without(rule))}
            />
          ))}
          {userRules().map(([rule, title]) => {
            const chosen = rules.find((one): one is PeopleRule => one.rule === rule)?.users ?? []
            const choose = (users: string[]) =>
              set(users.length > 0 ? [...without(rule), { rule, users }] : without(rule))
            return (
              <div key={rule} className="people-rule">
                <span>{title}:</span>
                {chosen.map((user) => (
                  <NamedPerson
                    key={user}
                    path={`/orgs/${organizationId}/members/${user}`}
                    id={user}
                    onRemove={() => choose(chosen.filter((one) => one !== user))}
                  />
                ))}
                <PersonField
                  isBare
                  organizationId={organizationId}
                  label={title}
                  onChange={(user) => user && choose([...chosen, user.id])}
                  without={chosen}
                />
              </div>
            )
          })}
          {rules
            .filter((one) => one.rule === 'custom')
            .map((custom) => (
              <CheckField
                key={custom.expression}
                label={t('place.condition-text', { text: custom.expression })}
                isChecked
                onChange={() => set(rules.filter((one) => one !== custom))}
              />
            ))}
        </div>
      )}
    </>
  )
}

/** A person whom a setting names, with a way to remove them. */
export function NamedPerson({ path, id, onRemove }: { path: MemberPath; id: string; onRemove: () => void }) {
  const member = useApi(path)
  const name = member.data?.user.displayName ?? (member.error ? id : '…')
  return (
    <Button className="small chip" aria-label={t('common.remove-name', { name })} onPress={onRemove}>
      {name} ×
    </Button>
  )
}
