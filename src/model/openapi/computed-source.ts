import { Type } from 'typebox'
import { oneOf } from '../common.ts'
import { SpecSlug } from './spec.ts'
import { OPENAPI_SOURCE } from './spec-pages.ts'

/** The specification of a computed source. */
export const SpecDependencies = Type.Object({
  spec: Type.Object({
    ref: Type.Object({ kind: oneOf(['openapi']), spec: SpecSlug }),
    value: Type.Optional(Type.Unknown({ description: 'Has no effect; the newest version is read' })),
  }),
})

/** The source of a computed page, which stands for the pages of a specification. */
export const ComputedPagesSource = Type.Object({
  type: oneOf([OPENAPI_SOURCE]),
  props: Type.Object({
    models: Type.Optional(
      Type.Boolean({ default: true, description: 'With `false`, schemas have no pages' }),
    ),
    grouping: Type.Optional(oneOf(['by-operation'])),
    downloadLink: Type.Optional(Type.Boolean({ description: 'Has no effect' })),
  }),
  dependencies: SpecDependencies,
})
