/**
 * Libraries that are loaded at their first use. Loading all libraries takes most of the start and of the memory of a
 * server that does nothing, and many servers never need some of them.
 */
import { createRequire } from 'node:module'
import type * as NodeSaml from '@node-saml/node-saml'
import type * as NodeSamlXml from '@node-saml/node-saml/lib/xml.js'
import type * as Resvg from '@resvg/resvg-js'
import type * as Acorn from 'acorn'
import type * as Esbuild from 'esbuild'
import type * as Gemoji from 'gemoji'
import type * as HastSanitize from 'hast-util-sanitize'
import type * as HastToHtml from 'hast-util-to-html'
import type * as HtmlParser from 'htmlparser2'
import type IcuCompile from 'icu-minify/compile'
import type IcuFormat from 'icu-minify/format'
import type * as ImageSize from 'image-size'
import type * as Mammoth from 'mammoth'
import type * as Mcp from '@modelcontextprotocol/server'
import type * as Jose from 'jose'
import type * as OpenIdClient from 'openid-client'
import type * as RobotsParser from 'robots-parser'
import type * as Satteri from 'satteri'
import type * as SmolToml from 'smol-toml'
import type * as WebAuthn from '@simplewebauthn/server'
import type * as PromClient from 'prom-client'
import type Temml from 'temml'
import type * as Uqr from 'uqr'
import type * as XmlCrypto from 'xml-crypto'
import type * as Yaml from 'yaml'

const require = createRequire(import.meta.url)

function lazy<T>(name: string): () => T {
  let library: T | undefined
  return () => (library ??= require(name) as T)
}

export const acorn = lazy<typeof Acorn>('acorn')
export const esbuild = lazy<typeof Esbuild>('esbuild')
export const gemoji = lazy<typeof Gemoji>('gemoji')
export const hastSanitize = lazy<typeof HastSanitize>('hast-util-sanitize')
export const hastToHtml = lazy<typeof HastToHtml>('hast-util-to-html')
export const htmlParser = lazy<typeof HtmlParser>('htmlparser2')
/** The parser of ICU messages, and what puts values into them. */
export const icuCompile = lazy<{ default: typeof IcuCompile }>('icu-minify/compile')
export const icuFormat = lazy<{ default: typeof IcuFormat }>('icu-minify/format')
export const imageSizes = lazy<typeof ImageSize>('image-size')
export const nodeSaml = lazy<typeof NodeSaml>('@node-saml/node-saml')
/** The parser of the SAML library, so that what is checked before verifying is what is verified. */
export const samlXml = lazy<typeof NodeSamlXml>('@node-saml/node-saml/lib/xml.js')
/** The SAML library verifies signatures by RSA keys only, with this. */
export const xmlCrypto = lazy<typeof XmlCrypto>('xml-crypto')
export const openIdClient = lazy<typeof OpenIdClient>('openid-client')
export const jose = lazy<typeof Jose>('jose')
export const resvg = lazy<typeof Resvg>('@resvg/resvg-js')
export const mammoth = lazy<typeof Mammoth>('mammoth')
export const mcp = lazy<typeof Mcp>('@modelcontextprotocol/server')
export const promClient = lazy<typeof PromClient>('prom-client')
/** The module is the function itself, unlike its types say. */
export const robotsParser = lazy<typeof RobotsParser.default.default>('robots-parser')
export const satteri = lazy<typeof Satteri>('satteri')
export const smolToml = lazy<typeof SmolToml>('smol-toml')
export const temml = lazy<typeof Temml>('temml')
export const uqr = lazy<typeof Uqr>('uqr')
export const webauthn = lazy<typeof WebAuthn>('@simplewebauthn/server')
export const yaml = lazy<typeof Yaml>('yaml')
