/**
 * Libraries that are loaded at their first use. Loading all libraries takes most of the start and of the memory of a
 * server that does nothing, and many servers never need some of them.
 */
import { createRequire } from 'node:module'
import type * as Acorn from 'acorn'
import type * as Gemoji from 'gemoji'
import type * as HastSanitize from 'hast-util-sanitize'
import type * as HastToHtml from 'hast-util-to-html'
import type * as ImageSize from 'image-size'
import type * as Satteri from 'satteri'
import type Temml from 'temml'
import type * as TypeboxValue from 'typebox/value'
import type * as Yaml from 'yaml'

const require = createRequire(import.meta.url)

function lazy<T>(name: string): () => T {
  let library: T | undefined
  return () => (library ??= require(name) as T)
}

export const acorn = lazy<typeof Acorn>('acorn')
export const gemoji = lazy<typeof Gemoji>('gemoji')
export const hastSanitize = lazy<typeof HastSanitize>('hast-util-sanitize')
export const hastToHtml = lazy<typeof HastToHtml>('hast-util-to-html')
export const imageSizes = lazy<typeof ImageSize>('image-size')
export const satteri = lazy<typeof Satteri>('satteri')
export const temml = lazy<typeof Temml>('temml')
export const typeboxValue = lazy<typeof TypeboxValue>('typebox/value')
export const yaml = lazy<typeof Yaml>('yaml')
