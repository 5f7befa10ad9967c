import type { TryBody, TryField } from '../../../../core/openapi/try-it.ts'
import { element } from '../kit/element.ts'
import { all } from '../kit/find.ts'
import { choice, type TryInput, fieldGroup, labelled, makeField } from './fields.ts'
import { splitList } from './lists.ts'
import { tryWords } from './words.ts'

/** A body as it is sent. The browser adds the type of a form with its boundary. */
export interface TrySentBody {
  type?: string
  body: string | FormData
}

/** The fields of a body, and how it is read from them. */
interface BodyFields {
  group: HTMLElement
  read(): TrySentBody | undefined
}

/** One of the media types that an operation takes. */
interface BodyPart {
  content: HTMLElement
  read(): TrySentBody | undefined
}

/** The fields of the body of a request; undefined if it has no body. */
export function bodyFields(bodies: readonly TryBody[]): BodyFields | undefined {
  if (bodies.length === 0) return undefined
  const types = bodies.map(({ type }) => type)
  const { input: chosen, label } = choice(tryWords.contentType, types)
  const parts = bodies.map(({ type, text = '', fields }) =>
    fields ? formPart(type, fields) : textPart(type, text),
  )
  const show = () => {
    for (const [i, { content }] of parts.entries()) {
      content.hidden = i !== chosen.selectedIndex
      // The browser demands no field of a body that is not sent.
      for (const input of all<HTMLInputElement>('input, select, textarea', content))
        input.disabled = content.hidden
    }
  }
  chosen.addEventListener('change', show)
  show()
  const contents = parts.map(({ content }) => content)
  return {
    group: fieldGroup(tryWords.body, ...(bodies.length > 1 ? [label] : []), ...contents),
    read: () => parts[chosen.selectedIndex]?.read(),
  }
}

function textPart(type: string, text: string): BodyPart {
  const rows = Math.min(Math.max(text.split('\n').length, 3), 16)
  const input = element('textarea', { value: text, rows, spellcheck: false })
  return {
    content: labelled(type, '', input),
    read: () => (input.value === '' ? undefined : { type, body: input.value }),
  }
}

function formPart(type: string, described: readonly TryField[]): BodyPart {
  const fields = described.map((one) => ({ ...one, field: makeField(one) }))
  const isMultipart = type.toLowerCase().startsWith('multipart/')
  return {
    content: element('div', {}, ...fields.map(({ field }) => field.label)),
    read() {
      const pairs = fields.flatMap(formPairs)
      if (!isMultipart) {
        const texts = pairs.filter((pair): pair is [string, string] => typeof pair[1] === 'string')
        return { type, body: new URLSearchParams(texts).toString() }
      }
      const body = new FormData()
      for (const [name, value] of pairs) body.append(name, value)
      return { body }
    },
  }
}

function formPairs({ name, kind, field }: TryField & { field: TryInput }): [string, string | File][] {
  const value = field.value()
  if (value === '' || value === undefined) return []
  if (kind === 'list' && typeof value === 'string') return splitList(value).map((one) => [name, one])
  return [[name, value]]
}
