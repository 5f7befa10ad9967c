/** The visitors who see something: everyone, those with a value in their claims, or those who meet a condition. */
import { useState } from 'react'
import { ChoiceField, LineField } from './fields.tsx'
import { t } from '../words/words.ts'

type Kind = 'all' | 'claim' | 'condition'

/** A condition that compares one claim with a text. */
const CLAIM = /^visitor\.claims\.([A-Za-z_]\w*) == "([^"\\]*)"$/

/** The condition that compares a claim with a text. */
const claimCondition = (name: string, value: string) => `visitor.claims.${name} == ${JSON.stringify(value)}`

/** Asks for a condition. */
export function ConditionField({
  label,
  value,
  onChange,
  isRequired = false,
}: {
  label: string
  /** The condition; empty for everyone. */
  value: string
  onChange: (value: string) => void
  /** Whether everyone is no answer. */
  isRequired?: boolean
}) {
  const [, name = '', text = ''] = CLAIM.exec(value) ?? []
  const [kind, setKind] = useState<Kind>(
    name !== '' || (value === '' && isRequired) ? 'claim' : value === '' ? 'all' : 'condition',
  )
  const [claim, setClaim] = useState(name)
  const [wanted, setWanted] = useState(text)
  const compare = (nextClaim: string, nextValue: string) => {
    setClaim(nextClaim)
    setWanted(nextValue)
    onChange(/^[A-Za-z_]\w*$/.test(nextClaim) ? claimCondition(nextClaim, nextValue) : '')
  }
  return (
    <>
      <ChoiceField
        label={label}
        value={kind}
        onChange={(next) => {
          setKind(next)
          if (next === 'all') onChange('')
          if (next === 'claim') compare(claim, wanted)
        }}
        options={[
          ...(isRequired ? [] : [['all', t('common.everyone-sees-site')] as const]),
          ['claim', t('common.visitors-value-claims')],
          ['condition', t('common.visitors-whom-condition-true')],
        ]}
        hint={t('common.claim-sign-site-says')}
      />
      {kind === 'claim' && (
        <div className="fields-row">
          <LineField
            label={t('common.claim')}
            value={claim}
            onChange={(next) => compare(next.trim(), wanted)}
            hint={t('common.such-as-plan')}
            isRequired
            autoFocus={isRequired}
          />
          <LineField label={t('common.is')} value={wanted} onChange={(next) => compare(claim, next)} />
        </div>
      )}
      {kind === 'condition' && (
        <LineField
          label={t('block.condition')}
          value={value}
          onChange={onChange}
          isRequired={isRequired}
          hint={'visitor.claims.plan == "pro" && space.vars.beta == true'}
        />
      )}
    </>
  )
}
