/** Calls that the compiler has to refuse. If it accepts one, it reports the line above it. */
import { api, useApi, useChange, useList } from './api.ts'
import type { ContentPath, WritablePath } from './paths.ts'
import { begin } from './requests.ts'

declare const id: string
declare const query: string
declare const content: ContentPath
declare const writable: WritablePath

// Only the compiler reads this function. Nothing calls it.
void (async () => {
  const { displayName } = await api('GET /user')
  void displayName
  const { items } = await api(`GET /orgs/${id}/members?limit=5&search=${id}`)
  void items.map(({ user }) => user.displayName)
  await api(`POST /orgs/${id}/spaces`, { title: '' })
  await api(`DELETE /spaces/${id}`)
  useApi(id && `/spaces/${id}/content?${query}`)
  useList(`${content}/outline?query=${query}`).items.map(({ parent }) => parent)
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
  // @ts-expect-error The caller does not name the type of the response.
  await api<{ title: string }>(`GET /spaces/${id}`)
  // @ts-expect-error The body has no such field.
  await api(`POST /orgs/${id}/spaces`, { name: '' })
  // @ts-expect-error The request needs a body.
  await api(`POST /user/tokens`)
  // @ts-expect-error The path cannot be read.
  useApi(`/space/${id}`)
  // @ts-expect-error Only the content of a space or a change request has a list of files.
  useList(`/spaces/${id}/revisions/${id}/file`)
  // @ts-expect-error The items have no such field.
  void useList('/orgs').items[0]?.name
  // @ts-expect-error The path cannot be read.
  await begin(`/users`)

  // A batch returns what it did only with `compat=false`.
  void (await api(`POST ${writable}?compat=false`, { changes: [] })).changes
  // @ts-expect-error The response is the space or the change request.
  void (await api(`POST ${writable}`, { changes: [] })).changes
  // @ts-expect-error A batch has no such change.
  await api(`POST ${writable}`, { changes: [{ operation: 'rename_page', page: id }] })
  // @ts-expect-error The change has no page.
  await api(`POST ${writable}`, { changes: [{ operation: 'delete_page' }] })
  // @ts-expect-error A revision cannot be changed.
  await api(`POST /spaces/${id}/revisions/${id}`, { changes: [] })

  const rename = useChange(`PATCH /spaces/${id}`)
  rename.mutate({ title: '', language: null }, { onSuccess: ({ title }) => title })
  // @ts-expect-error The body has no such field.
  rename.mutate({ name: '' })
  // @ts-expect-error The field cannot have this value.
  rename.mutate({ editMode: 'open' })
  // @ts-expect-error The response has no such field.
  rename.mutate({}, { onSuccess: ({ name }) => name })
  useChange(`DELETE /spaces/${id}`).mutate(undefined)
  // @ts-expect-error The request has no body.
  useChange(`DELETE /spaces/${id}`).mutate({ id })
  // @ts-expect-error The path has no such method.
  useChange(`PUT /spaces/${id}`)
  // @ts-expect-error There is no such path.
  useChange(`POST /spaces/${id}/publish`)
  // @ts-expect-error The caller does not name the type of the body.
  useChange<{ title: string }>(`PATCH /spaces/${id}`)

  useChange((one: { id: string }) => `POST /orgs/${one.id}/join` as const).mutate({ id })
  // @ts-expect-error There is no such path.
  useChange((one: { id: string }) => `POST /orgs/${one.id}/leave` as const)
  // @ts-expect-error The body of the request is another.
  useChange((one: { name: number }) => `PATCH /orgs/${one.name}/teams/${id}` as const)
})
