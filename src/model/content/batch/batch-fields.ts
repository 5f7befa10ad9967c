import { Type } from 'typebox'
import { STRUCTURED_LIMITS } from '../../../core/content/fields/structured.ts'
import { FIELD_LENGTHS } from '../../../core/content/fields/page.ts'
import { nullable, oneOf } from '../../common.ts'
import { ContentReference } from '../documents/document.ts'
import { Layout } from '../documents/page.ts'

/** The value of a variable of a space or page. */
const VariableValue = Type.Union([Type.String({ maxLength: 256 }), Type.Number(), Type.Boolean()])

const TagName = Type.String({ minLength: 1, maxLength: STRUCTURED_LIMITS.tag })

/** A shorter title of a page, for the navigation. */
export const LinkTitle = Type.Optional(
  nullable(
    Type.String({
      maxLength: FIELD_LENGTHS.linkTitle,
      description: 'The title in the navigation; by default, the `title`',
    }),
  ),
)

/** The fields that only pages with a body have. */
export const DocumentFields = {
  layout: Type.Optional(
    nullable(Type.Partial(Layout), {
      description:
        'The settings to change; the others keep their values. `null` sets all of them to their defaults',
    }),
  ),
  cover: Type.Optional(
    nullable(
      Type.Object(
        {
          ref: Type.Optional(ContentReference),
          refDark: Type.Optional(ContentReference),
          yPos: Type.Optional(Type.Number({ minimum: -10_000, maximum: 10_000, default: 0 })),
          height: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 10_000 })),
        },
        {
          description:
            'The image above the page, and the one for the dark theme: a file of the space, or a URL. It replaces the present cover',
        },
      ),
    ),
  ),
  tags: Type.Optional(
    nullable(
      Type.Array(
        Type.Object({
          tag: Type.Union([TagName, Type.Object({ kind: oneOf(['tag']), tag: TagName })]),
          primary: Type.Optional(Type.Boolean()),
        }),
        { maxItems: STRUCTURED_LIMITS.tags, description: 'They replace the present tags' },
      ),
    ),
  ),
  variables: Type.Optional(
    nullable(
      Type.Record(Type.String(), VariableValue, {
        maxProperties: STRUCTURED_LIMITS.variables,
        description: 'They replace the present variables of the page',
      }),
    ),
  ),
}

/** The changes of the variables and redirects of a space. */
export const NAMED_CHANGES = [
  Type.Object({
    operation: oneOf(['update_variables']),
    variables: Type.Record(Type.String(), nullable(VariableValue), {
      maxProperties: STRUCTURED_LIMITS.variables,
      description: 'The variables of the space to set, by name; `null` removes one, and the others stay',
    }),
  }),
  Type.Object({
    operation: oneOf(['update_redirects']),
    redirects: Type.Record(Type.String(), nullable(ContentReference), {
      maxProperties: 500,
      description:
        'The redirects of the space to set, by old path: a page of the space, or a URL. `null` removes one, and the others stay',
    }),
  }),
] as const
