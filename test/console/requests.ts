/**
 * The requests that the sources of the console make, found without running them. It is bundled into one scope, and the
 * values of the paths are followed through variables, parameters, properties of components and templates.
 * What is only known at run time, such as an id, is `*`.
 */
import { fileURLToPath } from 'node:url'
import { parse } from 'acorn'
import { build } from 'esbuild'

/** A request that the console makes, such as `GET /user`, and the line of the source that makes it. */
export interface FoundRequest {
  request: string
  code: string
}

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url))
const UNKNOWN = '*'
/** More values than this of one expression are not followed, but unknown. */
const MOST_VALUES = 60
/** A value that comes from further away is unknown. */
const DEEPEST = 30
/** The functions of `api.ts` that send requests, by the method; without one, it is a part of the first argument. */
const SENDERS = new Map([
  ['api', ''],
  ['useApi', 'GET '],
  ['useList', 'GET '],
  ['useChange', ''],
])

/** A node of the syntax tree, as the ESTree specification defines it. */
interface Node {
  type: string
  start: number
  end: number
  // oxlint-disable-next-line typescript/no-explicit-any -- each type of node has its own properties
  [property: string]: any
}
interface FunctionNode extends Node {
  params: Node[]
}
/** A text, or the expression of a function, an object or an array. */
type Value = string | Node
/** Where the value of a variable comes from. */
type Source =
  | { kind: 'value'; node: Node }
  | { kind: 'parameter'; of: Node; at: number }
  | { kind: 'part'; of: Source; key: string | number; fallback?: Node }

class Scope {
  readonly names = new Map<string, Source>()
  readonly parent: Scope | undefined

  constructor(parent?: Scope) {
    this.parent = parent
  }

  find(name: string): Source | undefined {
    return this.names.get(name) ?? this.parent?.find(name)
  }
}

/** Finds the requests of the console. */
export async function requestsOfConsole(): Promise<FoundRequest[]> {
  const { outputFiles } = await build({
    absWorkingDir: PACKAGE,
    entryPoints: ['src/console/app/program/main.tsx'],
    outdir: '/',
    bundle: true,
    packages: 'external',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    loader: { '.css': 'empty' },
    supported: { 'class-field': true },
    write: false,
    logLevel: 'silent',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return new Program(outputFiles[0]!.text).requests()
}

const isNode = (value: unknown): value is Node =>
  value !== null && typeof value === 'object' && typeof (value as Node).type === 'string'

const isFunction = (value: unknown): value is FunctionNode =>
  isNode(value) && /^(ArrowFunction|Function)(Expression|Declaration)$/.test(value.type)

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

class Program {
  readonly #text: string
  readonly #calls: Node[] = []
  readonly #scopes = new Map<Node, Scope>()
  /** The function around each call and each function. */
  readonly #around = new Map<Node, Node | undefined>()
  readonly #callsOf = new Map<Node, Set<Node>>()
  readonly #returns = new Map<Node, Node[]>()
  readonly #open = new Set<object>()
  /** The values that do not depend on what is open, because nothing was cut. */
  readonly #known = new Map<object, Value[]>()
  #cuts = 0

  constructor(text: string) {
    this.#text = text
    const tree: Node = parse(text, { ecmaVersion: 'latest', sourceType: 'module' })
    this.#declare(tree, new Scope(), undefined)
    // A function that a component gets is known once the calls of the component are.
    for (let round = 0; round < 3; round++) {
      for (const call of this.#calls)
        for (const one of this.#calledBy(call))
          this.#callsOf.set(one, (this.#callsOf.get(one) ?? new Set()).add(call))
      this.#known.clear()
    }
  }

  requests(): FoundRequest[] {
    const senders = new Set(
      [...this.#scopes.keys()].filter((node) => isFunction(node) && SENDERS.has(node.id?.name)),
    )
    const found: FoundRequest[] = []
    for (const call of this.#calls) {
      // The senders call each other with what they were called with.
      if (this.#isInside(call, senders)) continue
      const code = this.#text.slice(call.start, call.end).split('\n')[0]!
      const callee: Node = call.callee
      const method = callee.type === 'Identifier' ? this.#methodOf(call, callee.name) : undefined
      if (method === undefined) continue
      const texts = [...this.#textsOf(call.arguments[0], this.#scopes.get(call)!)]
        .map((text) =>
          (method + text)
            .replace(/\?.*/, '')
            .replace(' /v1/', ' /')
            .replace(/(?<!\/)\*$/, ''),
        )
        .filter((text) => !/^([A-Z]+ )?(undefined|false|)$/.test(text))
      // A part of a path may not be followed in one of several ways.
      const known = texts.filter((text) => /^[A-Z]+ \//.test(text))
      for (const request of known.length > 0 ? known : [`${method}${UNKNOWN}`]) found.push({ request, code })
    }
    return found
  }

  #isInside(node: Node, functions: ReadonlySet<Node>): boolean {
    const around = this.#around.get(node)
    return around !== undefined && (functions.has(around) || this.#isInside(around, functions))
  }

  /** What goes before the first argument of a call, if it sends a request. */
  #methodOf(call: Node, name: string): string | undefined {
    if (name === 'EventSource') return 'GET '
    const source = this.#scopes.get(call)!.find(name)
    const isSender = source?.kind === 'value' && isFunction(source.node) && source.node.id?.name === name
    return isSender ? SENDERS.get(name) : undefined
  }

  #declare(node: Node, scope: Scope, around: Node | undefined): void {
    let inner = scope
    let inside = around
    if (isFunction(node)) {
      if (node.type === 'FunctionDeclaration') scope.names.set(node.id.name, { kind: 'value', node })
      inner = new Scope(scope)
      inside = node
      this.#around.set(node, around)
      for (const [at, parameter] of node.params.entries())
        this.#bind(parameter, { kind: 'parameter', of: node, at }, inner)
      this.#returns.set(node, node.body.type === 'BlockStatement' ? [] : [node.body])
    } else if (node.type === 'BlockStatement') inner = new Scope(scope)
    else if (node.type === 'VariableDeclarator' && node.init)
      this.#bind(node.id, { kind: 'value', node: node.init }, scope)
    else if (
      node.type === 'AssignmentExpression' &&
      node.left.type === 'Identifier' &&
      !scope.find(node.left.name)
    )
      // The bundler moves the variables of modules to the top, and sets them later.
      this.#bind(node.left, { kind: 'value', node: node.right }, this.#top(scope))
    else if (node.type === 'ReturnStatement' && node.argument && around)
      this.#returns.get(around)!.push(node.argument)
    else if (node.type === 'ForOfStatement' && node.left.type === 'VariableDeclaration') {
      inner = new Scope(scope)
      this.#bind(
        node.left.declarations[0].id,
        { kind: 'part', of: { kind: 'value', node: node.right }, key: UNKNOWN },
        inner,
      )
    }
    if (node.type === 'CallExpression' && node.callee.name === '__export') {
      // What the bundler makes of the exports of a module that is loaded later.
      const [name, exported] = node.arguments as [Node, Node]
      for (const property of exported.properties as Node[]) property.value = property.value.body
      this.#bind(name, { kind: 'value', node: exported }, this.#top(scope))
    }
    if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      this.#calls.push(node)
      this.#around.set(node, around)
    }
    this.#scopes.set(node, inner)
    for (const child of childrenOf(node)) this.#declare(child, inner, inside)
  }

  #top(scope: Scope): Scope {
    return scope.parent ? this.#top(scope.parent) : scope
  }

  #bind(pattern: Node, source: Source, scope: Scope): void {
    if (pattern.type === 'Identifier') scope.names.set(pattern.name, source)
    else if (pattern.type === 'AssignmentPattern') {
      const { left, right } = pattern
      const withDefault: Source = source.kind === 'part' ? { ...source, fallback: right } : source
      this.#bind(left, withDefault, scope)
    } else if (pattern.type === 'ArrayPattern') {
      for (const [key, element] of pattern.elements.entries())
        if (element) this.#bind(element, { kind: 'part', of: source, key }, scope)
    } else if (pattern.type === 'ObjectPattern') {
      for (const property of pattern.properties)
        if (property.type === 'Property')
          this.#bind(
            property.value,
            { kind: 'part', of: source, key: String(property.key.name ?? property.key.value) },
            scope,
          )
    }
  }

  /** The functions that a call runs: the callee, a component, or the function that an array calls for each of its items. */
  #calledBy(call: Node): Node[] {
    const scope = this.#scopes.get(call)!
    const callee = this.#isElement(call) ? call.arguments[0] : call.callee
    const called = this.#valuesOf(callee, scope).filter(isFunction)
    const given = this.#isEach(call) ? call.arguments.filter(isFunction) : []
    return [...called, ...given]
  }

  #isElement = (call: Node): boolean =>
    call.callee.type === 'Identifier' && /^(jsx|jsxs)\d*$/.test(call.callee.name)

  #isEach = (call: Node): boolean =>
    call.callee.type === 'MemberExpression' &&
    /^(map|flatMap|forEach|filter|find|some)$/.test(call.callee.property.name)

  #textsOf(node: Node, scope: Scope): Set<string> {
    const values = this.#valuesOf(node, scope)
    const all = values.flatMap((value): string[] => {
      if (typeof value === 'string') return [value]
      // A request made from what is sent: the change is a function of its body.
      if (isFunction(value)) return [...this.#returned(value)]
      return [UNKNOWN]
    })
    return new Set(all)
  }

  #returned(node: Node): Set<string> {
    return new Set(
      this.#returns.get(node)?.flatMap((one) => [...this.#textsOf(one, this.#scopes.get(one)!)]) ?? [],
    )
  }

  /** The values that an expression can have. */
  #valuesOf(node: Node, scope: Scope): Value[] {
    switch (node.type) {
      case 'Literal':
        return [String(node.value)]
      case 'TemplateLiteral':
        return this.#joined(node, scope)
      case 'ConditionalExpression':
        return [...this.#valuesOf(node.consequent, scope), ...this.#valuesOf(node.alternate, scope)]
      case 'LogicalExpression':
        return node.operator === '&&'
          ? this.#valuesOf(node.right, scope)
          : [...this.#valuesOf(node.left, scope), ...this.#valuesOf(node.right, scope)]
      case 'Identifier': {
        if (node.name === 'undefined') return ['undefined']
        const source = scope.find(node.name)
        return source ? this.#valuesFrom(source) : [UNKNOWN]
      }
      case 'MemberExpression':
        return this.#partsOf(
          this.#valuesOf(node.object, scope),
          node.computed
            ? node.property.type === 'Literal'
              ? node.property.value
              : UNKNOWN
            : node.property.name,
        )
      case 'ChainExpression':
        return this.#valuesOf(node.expression, scope)
      case 'AwaitExpression':
        return this.#valuesOf(node.argument, scope)
      case 'SequenceExpression':
        return this.#valuesOf(node.expressions.at(-1), scope)
      case 'CallExpression':
        return this.#resultsOf(node, scope)
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
      case 'ObjectExpression':
      case 'ArrayExpression':
        return [node]
      default:
        return [UNKNOWN]
    }
  }

  #resultsOf(call: Node, scope: Scope): Value[] {
    if (this.#isElement(call)) return [UNKNOWN]
    const [first, second] = call.arguments as Node[]
    const { callee } = call
    if (callee.property?.name === 'replace' && first?.regex) {
      const pattern = new RegExp(first.regex.pattern, first.regex.flags)
      const replaced = (one: Value) => (typeof one === 'string' ? one.replace(pattern, second!.value) : one)
      return this.#valuesOf(callee.object, scope).map(replaced)
    }
    const isLoaded = callee.type === 'MemberExpression' && callee.property.name === 'then'
    const isLazy = /^lazy\d*$/.test(callee.name)
    const functions = this.#valuesOf(isLoaded || isLazy ? first! : callee, scope).filter(isFunction)
    if (functions.length === 0) return [UNKNOWN]
    return this.#once(call, () => {
      const results = functions.flatMap((one) =>
        (this.#returns.get(one) ?? []).flatMap((value) => this.#valuesOf(value, this.#scopes.get(value)!)),
      )
      return isLazy ? this.#partsOf(results, 'default') : results
    })
  }

  #joined(template: Node, scope: Scope): string[] {
    let texts = ['']
    for (const [i, quasi] of template.quasis.entries()) {
      const gap = template.expressions[i]
      const values = gap ? [...new Set(this.#gapValues(gap, scope))] : ['']
      texts = texts.flatMap((start) =>
        values.map((value) => {
          const before = start + quasi.value.cooked
          // An id that is empty until it is known.
          return before + (gap && value === '' && /(^|[ /])$/.test(before) ? UNKNOWN : value)
        }),
      )
      if (texts.length > MOST_VALUES) return [UNKNOWN]
    }
    return texts
  }

  #gapValues(node: Node, scope: Scope): string[] {
    const texts = this.#valuesOf(node, scope).map((one) => (typeof one === 'string' ? one : UNKNOWN))
    return texts.filter((one) => one !== 'undefined')
  }

  #valuesFrom(source: Source): Value[] {
    return this.#once(source, () => {
      if (source.kind === 'value') return this.#valuesOf(source.node, this.#scopes.get(source.node)!)
      if (source.kind === 'parameter') return this.#argumentsOf(source.of, source.at)
      const values = this.#partsOf(this.#valuesFrom(source.of), source.key)
      if (!source.fallback) return values
      const given = values.filter((one) => one !== 'undefined')
      return [...given, ...this.#valuesOf(source.fallback, this.#scopes.get(source.fallback)!)]
    })
  }

  /** What a function is called with. */
  #argumentsOf(node: Node, at: number): Value[] {
    const values = [...(this.#callsOf.get(node) ?? [])].flatMap((call) => {
      const scope = this.#scopes.get(call)!
      if (this.#isElement(call)) return at === 0 ? this.#valuesOf(call.arguments[1], scope) : [UNKNOWN]
      if (call.arguments.includes(node))
        return at === 0 ? this.#partsOf(this.#valuesOf(call.callee.object, scope), UNKNOWN) : [UNKNOWN]
      const argument = call.arguments[at]
      return argument ? this.#valuesOf(argument, scope) : ['undefined']
    })
    return values.length > 0 ? values : [UNKNOWN]
  }

  /** The values of a property, or of any if its name is unknown. */
  #partsOf(values: readonly Value[], key: string | number): Value[] {
    return values.flatMap((value): Value[] => {
      if (typeof value === 'string' || isFunction(value)) return [UNKNOWN]
      const scope = this.#scopes.get(value)!
      if (value.type === 'ArrayExpression') {
        const elements: Node[] =
          key === UNKNOWN ? value.elements : value.elements.slice(Number(key), Number(key) + 1)
        return elements.flatMap((one) =>
          one === null
            ? []
            : one.type === 'SpreadElement'
              ? this.#partsOf(this.#valuesOf(one.argument, scope), UNKNOWN)
              : this.#valuesOf(one, scope),
        )
      }
      let found: Value[] = []
      for (const property of value.properties as Node[]) {
        if (property.type === 'SpreadElement')
          found = [...found, ...this.#partsOf(this.#valuesOf(property.argument, scope), key)]
        else if (key === UNKNOWN || String(property.key.name ?? property.key.value) === String(key))
          found = [
            ...(key === UNKNOWN ? found : []),
            ...this.#valuesOf(property.value, this.#scopes.get(property)!),
          ]
      }
      return found.length > 0 ? found : ['undefined']
    })
  }

  /** Nothing for a value that is defined by itself, which recursion does. */
  #once(what: object, values: () => Value[]): Value[] {
    const known = this.#known.get(what)
    if (known) return known
    if (this.#open.has(what) || this.#open.size === DEEPEST) {
      this.#cuts += 1
      return this.#open.has(what) ? [] : [UNKNOWN]
    }
    const cuts = this.#cuts
    this.#open.add(what)
    const all = [...new Set(values())]
    this.#open.delete(what)
    const found = all.length > MOST_VALUES ? [UNKNOWN] : all
    if (this.#cuts === cuts) this.#known.set(what, found)
    return found
  }
}
