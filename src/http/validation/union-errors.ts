import type { ErrorObject as SchemaError } from 'ajv'
import { describeVariant } from './fault-message.ts'

/**
 * Ajv reports a value that fits no variant of a union once for each variant, and then once for the union. This keeps
 * the errors of the one variant that the value was meant to be, or makes one error that lists the variants.
 */
export function simplifyUnions(errors: readonly SchemaError[]): SchemaError[] {
  const simplified: SchemaError[] = []
  for (const error of errors) {
    if (error.keyword !== 'anyOf') {
      simplified.push(error)
      continue
    }
    const inside: SchemaError[] = []
    while (isWithin(simplified.at(-1), error)) inside.unshift(simplified.pop()!)
    for (const one of errorsOfUnion(error, inside)) simplified.push(one)
  }
  return simplified
}

function isWithin(error: SchemaError | undefined, union: SchemaError): boolean {
  if (!error?.schemaPath.startsWith(`${union.schemaPath}/`)) return false
  const { instancePath: place } = error
  return place === union.instancePath || place.startsWith(`${union.instancePath}/`)
}

function errorsOfUnion(union: SchemaError, inside: SchemaError[]): SchemaError[] {
  const variants = union.schema as Record<string, unknown>[]
  const all = variants.map((_, i) =>
    inside.filter(({ schemaPath }) => schemaPath.startsWith(`${union.schemaPath}/${i}/`)),
  )
  const isOwn = ({ instancePath }: SchemaError) => instancePath === union.instancePath
  const sameType = all.filter((errors) => !errors.some((error) => error.keyword === 'type' && isOwn(error)))
  // If several variants are objects, a constant field such as `type` identifies each.
  const marked = sameType.filter((errors) => !errors.some(({ keyword }) => keyword === 'enum'))
  const meant = sameType.length === 1 ? sameType[0] : marked.length === 1 ? marked[0] : undefined
  if (meant) return meant
  const tag = marked.length === 0 ? wrongTag(union, sameType) : undefined
  if (tag) return [tag]
  return [{ ...union, keyword: 'union', params: { options: variants.map(describeVariant).join(', or ') } }]
}

/** One error for a constant field, such as `kind`, whose value is that of no variant. */
function wrongTag({ instancePath }: SchemaError, variants: SchemaError[][]): SchemaError | undefined {
  const [first = [], ...others] = variants.map((errors) =>
    errors.filter((one) => {
      const isField = one.instancePath.lastIndexOf('/') === instancePath.length
      return one.keyword === 'enum' && isField && one.instancePath.startsWith(`${instancePath}/`)
    }),
  )
  const same = (errors: SchemaError[], at: string) => errors.find((one) => one.instancePath === at)
  const tag = first.find((one) => others.every((errors) => same(errors, one.instancePath)))
  if (!tag) return undefined
  const all = [first, ...others].flatMap(
    (errors) => same(errors, tag.instancePath)?.params.allowedValues ?? [],
  )
  return { ...tag, params: { allowedValues: [...new Set(all as unknown[])] } }
}
