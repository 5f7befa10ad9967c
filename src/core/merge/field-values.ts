import type { Conflict } from './model.ts'

const isText = (value: unknown) => typeof value === 'string' && value.trim() !== ''
const isFlag = (value: unknown) => typeof value === 'boolean'
const isScalar = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isVariables = (value: unknown) => isObject(value) && Object.values(value).every(isScalar)
const isTag = (value: unknown) => isObject(value) && 'tag' in value && isText(value.tag)
const isTitle = (value: unknown) => isText(value) && !/[\r\n]/.test(value as string)

/** What a slug must be for a path to lead to its page. */
function isSlug(value: unknown): boolean {
  return isText(value) && !/^\.{1,2}$|[/\p{Cc}]/u.test(value as string) && (value as string).length <= 100
}

const VALUES: Partial<Record<Conflict['object'], Record<string, (value: unknown) => boolean>>> = {
  page: {
    title: isTitle,
    slug: isSlug,
    linkTitle: isTitle,
    emoji: isText,
    icon: isText,
    description: isText,
    condition: isText,
    hidden: isFlag,
    noIndex: isFlag,
    noRobotsIndex: isFlag,
    tags: (value) => Array.isArray(value) && value.every(isTag),
    variables: isVariables,
  },
  'reusable-content': { title: isTitle },
  file: { name: isTitle },
  space: { variables: isScalar, redirects: isText },
}

/** Whether a field may be given a value as its content. The others are settled by choosing a side. */
export function isFieldValue(object: Conflict['object'], field: string, value: unknown): boolean {
  return VALUES[object]?.[field]?.(value) ?? false
}
