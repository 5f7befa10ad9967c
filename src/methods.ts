/** The methods of each path, so that a request with another method gets 405 and not 404. */
import type { FastifyInstance } from 'fastify'

interface Node {
  words: Map<string, Node>
  /** The segment that stands for any word, such as `:spaceId`. */
  any?: Node
  methods: Set<string>
}

/** Collects the routes that are added to a server. @returns the methods of a path, sorted; none if no route has it */
export function collectMethods(server: FastifyInstance): (path: string) => string[] {
  const top = emptyNode()
  server.addHook('onRoute', ({ method, url }) => {
    if (url.includes('*')) return
    let node = top
    for (const word of segmentsOf(url)) {
      const isAny = word.startsWith(':')
      const next = (isAny ? node.any : node.words.get(word)) ?? emptyNode()
      if (isAny) node.any = next
      else node.words.set(word, next)
      node = next
    }
    for (const one of [method].flat()) node.methods.add(one)
    if (node.methods.has('GET')) node.methods.add('HEAD')
  })
  return (path) => [...methodsIn(top, segmentsOf(path))].toSorted()
}

const emptyNode = (): Node => ({ words: new Map(), methods: new Set() })

const segmentsOf = (path: string) => path.split('/').filter((segment) => segment !== '')

function methodsIn(node: Node, [word, ...rest]: string[]): Set<string> {
  if (word === undefined) return node.methods
  return new Set([node.words.get(word), node.any].flatMap((next) => (next ? [...methodsIn(next, rest)] : [])))
}
