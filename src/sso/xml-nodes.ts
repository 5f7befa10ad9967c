/** The little of the DOM that SAML needs; the compiler does not know the DOM of browsers. */
import { samlXml } from '../core/runtime/libraries.ts'
import { refuse, SignInRefused } from './sign-in-refused.ts'

export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
export const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'

/** An element of an XML document. */
export interface SamlNode {
  nodeType: number
  localName: string
  namespaceURI: string | null
  parentNode: SamlNode | null
  childNodes: { length: number; item(index: number): SamlNode }
  attributes: { length: number; item(index: number): { name: string; localName: string; value: string } }
  textContent: string | null
  getAttribute(name: string): string
  hasAttribute(name: string): boolean
}

const ELEMENT_NODE = 1

/** The first element of a document that `checkXmlText` has accepted. @throws SignInRefused */
export async function rootOf(xml: string): Promise<SamlNode> {
  try {
    const { documentElement } = (await samlXml().parseDomFromString(xml)) as unknown as {
      documentElement: SamlNode
    }
    return documentElement
  } catch (error) {
    throw new SignInRefused('The message is not well-formed XML', { cause: error })
  }
}

/** An element and all elements in it. */
export function* allOf(element: SamlNode): Generator<SamlNode> {
  yield element
  for (const child of elementsIn(element)) yield* allOf(child)
}

function elementsIn({ childNodes }: SamlNode): SamlNode[] {
  return Array.from({ length: childNodes.length }, (_, i) => childNodes.item(i)).filter(
    ({ nodeType }) => nodeType === ELEMENT_NODE,
  )
}

/** Whether an element has a name in a namespace. */
export const isNamed = (element: SamlNode, namespace: string, name: string): boolean =>
  element.namespaceURI === namespace && element.localName === name

/** The children of an element that have a name in a namespace. */
export const childrenNamed = (element: SamlNode, namespace: string, name: string): SamlNode[] =>
  elementsIn(element).filter((child) => isNamed(child, namespace, name))

/** The only child with a name. @throws SignInRefused if there are none or several */
export function onlyChildNamed(parent: SamlNode, namespace: string, name: string): SamlNode {
  const [found, ...more] = childrenNamed(parent, namespace, name)
  if (!found || more.length > 0) return refuse(`${parent.localName} must have one element ${name}`)
  return found
}

/** An attribute of an element, if it has it. */
export const attributeIn = (element: SamlNode, name: string): string | undefined =>
  element.hasAttribute(name) ? element.getAttribute(name) : undefined

/** All attributes of an element. */
export const attributesOf = ({ attributes }: SamlNode) =>
  Array.from({ length: attributes.length }, (_, i) => attributes.item(i))
