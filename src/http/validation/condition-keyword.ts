import type { Ajv } from 'ajv'

import { hidingTagInAddress } from '../../core/document/markdown/hiding-tags.ts'

/** Refuses texts and addresses that readers see if they have a condition, which nothing would evaluate there: `x-unconditional`. */
export function addConditionKeyword(ajv: Ajv): void {
  ajv.addKeyword({
    keyword: 'x-unconditional',
    type: 'string',
    schemaType: 'boolean',
    errors: false,
    validate: (_schema: boolean, text: string) => hidingTagInAddress(text) === undefined,
  })
}
