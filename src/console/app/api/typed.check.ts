/** Calls that the compiler has to refuse. If it accepts one, it reports the line above it. */
import { api, useApi } from './api.ts'

declare const id: string
declare const query: string

// Only the compiler reads this function. Nothing calls it.
void (async () => {
  const { displayName } = await api('GET /user')
  void displayName
  const { items } = await api(`GET /orgs/${id}/members?limit=5&search=${id}`)
  void items.map(({ user }) => user.displayName)
  await api(`POST /orgs/${id}/spaces`, { title: '' })
  await api(`DELETE /spaces/${id}`)
  useApi(id && `/spaces/${id}/content?${query}`)
  // @ts-expect-error There is no such path.
  await api(`GET /spaces/${id}/contents`)
  // @ts-expect-error A part of a segment is unknown.
  await api(`GET /spaces/${id}/content${query}`)
  // @ts-expect-error The path has no such method.
  await api(`PUT /spaces/${id}`)
  // @ts-expect-error The query has no such parameter.
  await api(`GET /orgs/${id}/members?limits=5`)
  // @ts-expect-error The response has no such field.
  void (await api(`GET /spaces/${id}`)).name
  // @ts-expect-error The body has no such field.
  await api(`POST /orgs/${id}/spaces`, { name: '' })
  // @ts-expect-error The request needs a body.
  await api(`POST /user/tokens`)
  // @ts-expect-error The path cannot be read.
  useApi(`/space/${id}`)
})
