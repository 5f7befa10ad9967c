/** The fields that a schema does not have are removed by the first variant of a union that the rest matches. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type, type TSchema } from 'typebox'
import { Customization } from '../../src/model/sites/customization/customization-settings.ts'
import { onlyKnown } from '../../src/http/validation/validate.ts'
import { loadRoutes, loadScimRoutes } from '../../src/server/routes.ts'

interface Node {
  anyOf?: Node[]
  properties?: Record<string, Node>
  required?: string[]
  items?: Node
  const?: unknown
  enum?: unknown[]
}

/** The unions in a schema, each with its place. */
function unionsIn(schema: Node, place: string): { place: string; variants: Node[] }[] {
  const { anyOf = [], properties = {}, items } = schema
  return [
    ...(anyOf.length > 0 ? [{ place, variants: anyOf }] : []),
    ...anyOf.flatMap((variant, i) => unionsIn(variant, `${place}|${i}`)),
    ...Object.entries(properties).flatMap(([name, inner]) => unionsIn(inner, `${place}.${name}`)),
    ...(items ? unionsIn(items, `${place}[]`) : []),
  ]
}

/** The constants that a type permits, if it permits nothing else. */
const constantsOf = (schema: Node) => schema.enum ?? ('const' in schema ? [schema.const] : undefined)

/** Whether the values of two types differ in a constant. */
function areApart(first: Node, second: Node): boolean {
  const known = constantsOf(first)
  const others = constantsOf(second)
  return known !== undefined && others !== undefined && !known.some((one) => others.includes(one))
}

/** Whether a value of the second object type can be one of the first, which would remove its other fields. */
function hides({ properties: few, required = [] }: Node, { properties: many }: Node): boolean {
  if (!few || !many) return false
  if (Object.keys(few).some((name) => many[name] && areApart(few[name]!, many[name]))) return false
  return Object.keys(many).some((name) => !(name in few)) && required.every((name) => name in many)
}

test('no variant of a body hides a later one with more fields', async () => {
  const bodies = [...(await loadRoutes()), ...(await loadScimRoutes())].flatMap(({ name, route }) =>
    route.body ? [{ name, schema: route.body }] : [],
  )
  const all: { name: string; schema: TSchema }[] = [
    ...bodies,
    { name: 'Customization', schema: Customization },
  ]
  const unions = all.flatMap(({ name, schema }) => unionsIn(schema as Node, name))
  assert(unions.length > 10, `${unions.length} unions`)
  const hidden = unions.flatMap(({ place, variants }) =>
    variants.flatMap((second, i) =>
      variants.slice(0, i).some((first) => hides(first, second)) ? [`${place}|${i}`] : [],
    ),
  )
  assert.deepEqual(hidden, [])
})

test('the variants of a union keep their order', () => {
  const [narrow, wide] = [
    Type.Object({ a: Type.String() }),
    Type.Object({ a: Type.String(), b: Type.String() }),
  ]
  const value = () => ({ a: 'x', b: 'y', c: 'z' })
  assert.deepEqual(onlyKnown(Type.Union([wide, narrow]), value()), { a: 'x', b: 'y' })
  assert.deepEqual(onlyKnown(Type.Union([narrow, wide]), value()), { a: 'x' })
})
