/** Finds the operation of a request among the routes, so that its parameters, body and response have types. */
import type { Routes } from './operations/routes.ts'

/** A request: the method and the path below `/v1`, such as `GET /user`. */
export type ApiRequest = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`

/** A text that may stand for a parameter of a path: a whole segment, not one with a part that is unknown. */
type Parameter<S extends string> = string extends S
  ? S
  : S extends `${number}`
    ? S
    : {} extends Record<S, unknown>
      ? never
      : S

type Step<Tree, S extends string> = S extends keyof Tree
  ? Tree[S]
  : Tree extends { ':': infer Below }
    ? [Parameter<S>] extends [never]
      ? never
      : Below
    : never

type Walk<Tree, Path extends string> = Path extends `${infer S}/${infer Rest}`
  ? Walk<Step<Tree, S>, Rest>
  : Step<Tree, Path>

/** The names in a query that an operation has not. A query of which only the type `string` is known has none. */
type UnknownName<Query extends string, Name> = Query extends `${infer First}&${infer Rest}`
  ? UnknownName<First, Name> | UnknownName<Rest, Name>
  : Query extends `${infer N}=${string}`
    ? string extends N
      ? never
      : Exclude<N, Name>
    : never

type Methods<Tree, Method extends string> = Method extends keyof Tree ? Tree[Method] : never

type QueryOf<Operation> = Operation extends { query: infer Name } ? Name : never

type WithQuery<Operation, Query extends string> = [Operation] extends [never]
  ? never
  : [UnknownName<Query, QueryOf<Operation>>] extends [never]
    ? Operation
    : never

/** The operation of a request; never if the path or a name in its query is wrong. */
type OperationOf<Request extends string> = Request extends `${infer Method} /${infer Path}?${infer Query}`
  ? WithQuery<Methods<Walk<Routes, Path>, Method>, Query>
  : Request extends `${infer Method} /${infer Path}`
    ? Methods<Walk<Routes, Path>, Method>
    : never

/** The request itself if the API has its operation; otherwise it does not compile. */
export type Known<Request extends string> = Request extends string
  ? [OperationOf<Request>] extends [never]
    ? never
    : Request
  : never

/** The path below `/v1` itself if it can be read; otherwise it does not compile. */
export type KnownPath<Path extends string> = [Known<`GET ${Path}`>] extends [never] ? never : Path

/** The response to a request. */
export type AnswerOf<Request extends string> =
  OperationOf<Request> extends { answer: infer Answer } ? AnswerTo<Request, Answer> : never

/** A batch that is sent with `compat=false` returns what it did, and not the resource alone. */
type AnswerTo<Request, Answer> = Request extends `${string}?compat=false`
  ? Exclude<Answer, { object: string }>
  : Answer

/** The body of a request; undefined if it has none. */
export type BodyOf<Request extends string> =
  OperationOf<Request> extends { body: infer Body } ? Body : undefined

/** What is sent with a request: its body, if it has one, and the signal that aborts it. */
export type Sent<Request extends string> =
  undefined extends BodyOf<Request>
    ? [body?: BodyOf<Request>, signal?: AbortSignal]
    : [body: BodyOf<Request>, signal?: AbortSignal]
