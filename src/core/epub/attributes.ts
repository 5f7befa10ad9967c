/** The attributes that elements keep in a book. */
import type { Element } from 'hast'

type Check = (value: string) => boolean

const any: Check = () => true
const whole: Check = (value) => /^-?\d{1,9}$/.test(value)
const positive: Check = (value) => /^[1-9]\d{0,2}$/.test(value)
const language: Check = (value) => /^[a-z]{2,3}(?:-[a-z\d]{2,8}){0,4}$/i.test(value)
const moment: Check = (value) =>
  /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?Z)?$/.test(value) && !Number.isNaN(Date.parse(value))
/** Links to places in the book. */
const PLACE = /^(?:#.|[\w-]+\.xhtml(?:#.|$))/

/**
 * The address of a link: a place in the book, or what a reading system passes on to another program. Browsers accept more
 * than the URL standard calls valid, and a book must be valid.
 */
export function validAddress(address: string): string {
  if (PLACE.test(address)) return address
  const url = /^(?:https?|mailto|tel):/i.test(address) ? URL.parse(address) : null
  if (!url || url.hostname.length > LONGEST_HOST) return ''
  // Nobody should publish a password, and browsers warn of it.
  url.username = ''
  url.password = ''
  const host = url.host === '' ? url.protocol : `${url.protocol}//${url.host}`
  const [rest = '', ...fragment] = url.href.slice(url.href.indexOf(host) + host.length).split('#')
  const valid = rest + (fragment.length > 0 ? `#${fragment.join('%23')}` : '')
  return host + valid.replace(/%(?![\da-f]{2})/gi, '%25').replace(NOT_IN_URL, encodeURIComponent)
}

/** The length of a name in the domain name system (RFC 1035, 2.3.4). */
const LONGEST_HOST = 253
/** The characters that no part after the host may contain (RFC 3986). */
const NOT_IN_URL = /[^!#$%&'()*+,./\d:;=?@A-Z_a-z~-]/gu

/** Roles that reading systems know; others describe controls. */
const role: Check = (value) => /^(?:note|img|doc-[a-z]+)$/.test(value)

type Rules = Record<string, [attribute: string, isValid: Check]>

/** By the name of the property in a tree of HTML. */
const ALL: Rules = {
  title: ['title', any],
  dir: ['dir', (value) => /^(?:ltr|rtl|auto)$/.test(value)],
  role: ['role', role],
}

const CELL: Rules = { colSpan: ['colspan', positive], rowSpan: ['rowspan', positive] }

const OF_ELEMENT: Record<string, Rules> = {
  a: { ariaLabel: ['aria-label', any] },
  bdo: {},
  col: { span: ['span', positive] },
  del: { dateTime: ['datetime', moment] },
  ins: { dateTime: ['datetime', moment] },
  img: { src: ['src', any], alt: ['alt', any] },
  ol: { start: ['start', whole], type: ['type', (value) => /^[1aAiI]$/.test(value)] },
  li: { value: ['value', whole] },
  td: CELL,
  th: { ...CELL, scope: ['scope', (value) => /^(?:row|col)(?:group)?$/.test(value)] },
  time: { dateTime: ['datetime', moment] },
}

/** The attributes of an element under the name that it has in a book; all but its id. */
export function fitAttributes(name: string, element: Element): Map<string, string> {
  const fitted = new Map<string, string>()
  const { properties } = element
  for (const rules of [ALL, (Object.hasOwn(OF_ELEMENT, name) && OF_ELEMENT[name]) || {}])
    for (const [property, [attribute, isValid]] of Object.entries(rules)) {
      const value = propertyText(properties[property]).trim()
      if ((value !== '' || attribute === 'alt') && isValid(value)) fitted.set(attribute, value)
    }

  if (name === 'a') setText(fitted, 'href', validAddress(propertyText(properties.href).trim()))
  const lang = propertyText(properties.lang)
  if (language(lang)) for (const attribute of ['lang', 'xml:lang']) fitted.set(attribute, lang)
  if (name === 'ol' && properties.reversed === true) fitted.set('reversed', 'reversed')
  if (fitted.has('role')) setText(fitted, 'aria-label', propertyText(properties.ariaLabel))
  setText(fitted, 'class', classNames(element).join(' '))
  return fitted
}

function setText(attributes: Map<string, string>, name: string, value: string): void {
  if (value !== '') attributes.set(name, value)
}

/** The classes of an element. The attribute for alignment that HTML once had becomes one. */
export function classNames({ properties }: Element): string[] {
  const names = Array.isArray(properties.className) ? properties.className.map(String) : []
  const align = propertyText(properties.align)
  return /^(?:left|center|right|justify)$/.test(align) ? [...names, `align-${align}`] : names
}

/** The value of a property as text; '' if it has none. */
export function propertyText(value: Element['properties'][string]): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
