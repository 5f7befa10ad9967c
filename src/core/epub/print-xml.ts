/** Elements as XML 1.0. */
import { escapeXml } from '../text/xml.ts'

export interface XmlElement {
  name: string
  attributes: Map<string, string>
  children: XmlNode[]
}

export type XmlNode = XmlElement | string

/** Makes an element. Attributes without a value are left out. */
export function xml(
  name: string,
  attributes: Record<string, string | undefined> = {},
  children: readonly (XmlNode | undefined)[] = [],
): XmlElement {
  const given = Object.entries(attributes).filter((one): one is [string, string] => one[1] !== undefined)
  return {
    name,
    attributes: new Map(given),
    children: children.filter((child) => child !== undefined),
  }
}

const DECLARATION = '<?xml version="1.0" encoding="utf-8"?>\n'

/** A file with one root element. @param doctype such as `<!DOCTYPE html>` */
export function printXmlFile(root: XmlElement, doctype = ''): string {
  return `${DECLARATION}${doctype}${doctype && '\n'}${printXml(root)}\n`
}

/** The markup of a node. */
function printXml(node: XmlNode): string {
  if (typeof node === 'string') return escapeXml(node)
  let out = `<${node.name}`
  for (const [name, value] of node.attributes) out += ` ${name}="${escapeXml(value)}"`
  if (node.children.length === 0) return `${out}/>`
  out += '>'
  for (const child of node.children) out += printXml(child)
  return `${out}</${node.name}>`
}
