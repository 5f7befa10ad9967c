import { type Static, type TSchema, Type } from 'typebox'
import { checkExpression } from '../../core/expression/check.ts'
import { LONGEST_EXPRESSION } from '../../core/expression/expression.ts'
import { type MergeRule, PLAIN_RULES, USER_RULES } from '../../core/proposals/merge-rules.ts'
import type { Reader, Row } from '../../db/schema.ts'
import { faultAt, type Fault, invalidFields, unknownIdFault } from '../../http/errors.ts'
import { Id, oneOf } from '../common.ts'
import { because } from '../../core/languages/reasons.ts'
import { faultParameters } from '../../core/languages/reasoned.ts'

const MOST_RULES = 20
const MOST_USERS = 100
/** What the expression of a custom rule can read. */
const RULE_VARIABLES = ['changeRequest', 'reviews', 'actor', 'space']

/** A discriminated union of objects, with its name and theirs in the API description. */
function variants<S extends TSchema[]>(title: string, propertyName: string, ...oneOfThem: S) {
  return Type.Unsafe<Static<S[number]>>({
    title,
    type: 'object',
    oneOf: oneOfThem,
    discriminator: { propertyName },
  })
}

const Rule = variants(
  'MergeRule',
  'rule',
  Type.Object(
    {
      rule: oneOf(USER_RULES),
      users: Type.Array(Id, { minItems: 1, maxItems: MOST_USERS, uniqueItems: true }),
    },
    { title: 'MergeRuleOfUsers' },
  ),
  Type.Object({ rule: oneOf(PLAIN_RULES) }, { title: 'PlainMergeRule' }),
  Type.Object(
    {
      rule: oneOf(['custom']),
      expression: Type.String({
        maxLength: LONGEST_EXPRESSION,
        description:
          'The expression can read `changeRequest`, `reviews`, `actor` and `space`, as the API returns them',
      }),
    },
    { title: 'CustomMergeRule' },
  ),
)

const None = Type.Object({ type: oneOf(['none']) }, { title: 'NoMergeRules' })
const Rules = Type.Object(
  {
    type: oneOf(['rules']),
    rules: Type.Array(Rule, {
      maxItems: MOST_RULES,
      description: 'A change request must satisfy every rule',
    }),
  },
  { title: 'MergeRules' },
)
const Inherit = Type.Object({ type: oneOf(['inherit']) }, { title: 'InheritedMergeRules' })

/** The rules that a change request must satisfy before it can be merged. */
export const OrganizationMergeRules = variants('OrganizationMergeRules', 'type', None, Rules)

/** The merge rules of one space; `inherit` uses those of the organization. */
export const SpaceMergeRules = variants('SpaceMergeRules', 'type', Inherit, None, Rules)
export type MergeRules = Static<typeof SpaceMergeRules>

/** Reads merge rules from their column. */
export function toMergeRules<S extends MergeRules>({ mergeRules }: { mergeRules: string }): S {
  return JSON.parse(mergeRules) as S
}

/** The rules for the change requests of a space: its own, or those of its organization. */
export async function rulesOf(
  db: Reader,
  space: Pick<Row<'space'>, 'organizationId' | 'mergeRules'>,
): Promise<MergeRule[]> {
  const own = toMergeRules(space)
  if (own.type !== 'inherit') return own.type === 'rules' ? own.rules : []
  const organization = await db
    .selectFrom('organization')
    .select('mergeRules')
    .where('id', '=', space.organizationId)
    .executeTakeFirstOrThrow()
  const inherited = toMergeRules(organization)
  return inherited.type === 'rules' ? inherited.rules : []
}

/**
 * Checks merge rules and serializes them for their column.
 * @throws 400 with a fault for each user who is not a member and each expression that is not valid
 */
export async function checkedRules(
  db: Reader,
  organizationId: string,
  configuration: MergeRules,
): Promise<string> {
  if (configuration.type !== 'rules') return JSON.stringify({ type: configuration.type })
  const rules = configuration.rules.map(essence)
  const faults = [...(await strangersIn(db, organizationId, rules)), ...rules.flatMap(faultsOf)]
  if (faults.length > 0) throw invalidFields(faults)
  return JSON.stringify({ type: 'rules', rules })
}

/** The rule without the fields that its type does not use. */
function essence(rule: MergeRule): MergeRule {
  if ('users' in rule && isOf(USER_RULES, rule.rule)) return { rule: rule.rule, users: rule.users }
  if (rule.rule === 'custom') return { rule: rule.rule, expression: rule.expression }
  return { rule: rule.rule } as MergeRule
}

const isOf = <T extends string>(words: readonly T[], word: string): word is T =>
  (words as readonly string[]).includes(word)

const rulePlace = (i: number) => `body.mergeRules.rules.${i}`

function faultsOf(rule: MergeRule, i: number): Fault[] {
  if (rule.rule !== 'custom') return []
  const parsed = checkExpression(rule.expression, RULE_VARIABLES)
  return parsed.ok
    ? []
    : [faultAt(`${rulePlace(i)}.expression`, because('rule-unreadable', faultParameters(parsed.error)))]
}

async function strangersIn(db: Reader, organizationId: string, rules: MergeRule[]): Promise<Fault[]> {
  const named = rules.flatMap((rule, i) =>
    'users' in rule ? rule.users.map((user, j) => ({ user, path: `${rulePlace(i)}.users.${j}` })) : [],
  )
  if (named.length === 0) return []
  const members = await db
    .selectFrom('member')
    .select('userId')
    .where('organizationId', '=', organizationId)
    .where('userId', 'in', [...new Set(named.map(({ user }) => user))])
    .execute()
  const known = new Set(members.map(({ userId }) => userId))
  return named
    .filter(({ user }) => !known.has(user))
    .map(({ path, user }) => unknownIdFault(path, user, 'a member of this organization'))
}
