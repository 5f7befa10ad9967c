/** What a copy keeps of an organization, to compare two of them. */
import { processOpenApi } from '../src/jobs/process-openapi.ts'
import { requester } from './organization-to-copy.ts'
import type { World } from './world.ts'

// Tests read responses of any shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any

/** The names of ids, by which two organizations are compared. */
type Names = Map<string, string>

/** What a copy keeps of an organization. Ids are replaced by names, so that equal organizations are equal values. */
export async function comparable(world: World): Promise<Body> {
  const call = requester(world)
  const org = `/v1/orgs/${world.organizationId}`
  const names: Names = new Map([[world.organizationId, 'org']])
  const { items: collections } = await call(`GET ${org}/collections?limit=1000`)
  const { items: spaces } = await call(`GET ${org}/spaces?limit=1000`)
  const { items: members } = await call(`GET ${org}/members?limit=1000`)
  for (const { user } of members) names.set(user.id, `user ${user.email}`)
  for (const { id, title } of collections) names.set(id, `collection ${title}`)
  for (const { id, title } of spaces) names.set(id, `space ${title}`)
  const { items: teams } = await call(`GET ${org}/teams?limit=1000`)
  for (const { id, title } of teams) names.set(id, `team ${title}`)
  const { items: customFields } = await call(`GET ${org}/custom-fields?limit=1000`)
  const { items: specifications } = await call(`GET ${org}/openapi?limit=1000`)
  const { items: templates } = await call(`GET ${org}/page-templates?limit=1000`)
  const ownTemplates = templates.filter(({ builtIn }: Body) => !builtIn)
  const { items: terms } = await call(`GET ${org}/translations-glossary?limit=1000`)
  await processOpenApi(world.app.services, 60_000)(
    { organizationId: world.organizationId } as never,
    {} as never,
  )
  const values = new Map<string, Body>()
  for (const { id } of spaces) {
    const all = await call(`GET /v1/spaces/${id}/custom-fields`)
    values.set(
      id,
      all.map(({ customField, value }: Body) => [customField.name, value]),
    )
  }
  const contents = new Map<string, Body>()
  for (const { id, title } of spaces) {
    const content = await call(`GET /v1/spaces/${id}/content?computed=false`)
    nameContent(names, title, content)
    contents.set(id, await withTexts(call, `/v1/spaces/${id}/content`, content))
  }
  const roles = new Map<string, Body>()
  for (const { id, object } of [...spaces, ...collections]) {
    roles.set(id, await rolesAt(`/v1/${object}s/${id}`))
  }
  const proposals = new Map<string, Body>()
  for (const { id, title } of spaces) {
    const base = `/v1/spaces/${id}`
    proposals.set(id, {
      changeRequests: await shownChangeRequests(base, title),
      comments: await shownComments(base),
    })
  }
  const plain = {
    members: sorted(members.map(({ user, role }: Body) => [user.email, role])),
    teams: sorted(await Promise.all(teams.map(inTeam))),
    collections: collections.map(({ id, title, description, parent, defaultLevel }: Body) => ({
      title,
      description,
      parent,
      defaultLevel,
      roles: roles.get(id),
    })),
    spaces: spaces.map(
      ({
        id,
        title,
        emoji,
        visibility,
        editMode,
        language,
        languageTag,
        parent,
        mergeRules,
        defaultLevel,
      }: Body) => ({
        title,
        emoji,
        visibility,
        editMode,
        language,
        languageTag,
        parent,
        mergeRules,
        defaultLevel,
        content: contents.get(id),
        roles: roles.get(id),
        values: values.get(id),
        ...proposals.get(id),
      }),
    ),
    templates: await Promise.all(
      ownTemplates.map(async ({ id }: Body) => {
        const { title, description, emoji, markdown } = await call(`GET ${org}/page-templates/${id}`)
        return { title, description, emoji, markdown }
      }),
    ),
    terms: terms.map(({ translations }: Body) => translations),
    customFields: customFields.map(({ name, title, description, type, placeholder, options }: Body) => ({
      name,
      title,
      description,
      type,
      placeholder,
      options,
    })),
    specifications: await Promise.all(specifications.map(specification)),
    sites: await shownSites(),
  }
  return renamed(plain, names)

  async function rolesAt(path: string) {
    const users = await call(`GET ${path}/permissions/users?limit=1000`)
    const granted = await call(`GET ${path}/permissions/teams?limit=1000`)
    return {
      users: sorted(users.items.map(({ permission, user }: Body) => [user.email, permission])),
      teams: sorted(granted.items.map(({ permission, team }: Body) => [team.title, permission])),
    }
  }

  async function shownChangeRequests(base: string, title: string) {
    const shown = []
    for (const status of ['open', 'draft']) {
      const { items } = await call(`GET ${base}/change-requests?status=${status}&limit=1000`)
      for (const { id, subject, description, comments: _comments } of items) {
        const of = `${base}/change-requests/${id}`
        const content = await call(`GET ${of}/content?computed=false`)
        nameContent(names, title, content)
        const { items: reviewers } = await call(`GET ${of}/requested-reviewers`)
        shown.push({
          subject,
          status,
          description,
          content: await withTexts(call, `${of}/content`, content),
          reviewers: sorted(reviewers.map(({ user }: Body) => user.email)),
          comments: await shownComments(of),
        })
      }
    }
    return shown
  }

  async function shownComments(of: string) {
    const { items } = await call(`GET ${of}/comments?format=markdown&order=asc&limit=1000`)
    const shown = []
    for (const { id, body, status, target, suggestion, postedBy } of items) {
      const { items: replies } = await call(`GET ${of}/comments/${id}/replies?format=markdown`)
      shown.push({
        by: postedBy.email,
        body,
        status,
        suggestion: suggestion && { text: suggestion.text, status: suggestion.status },
        page: target.page?.title,
        node: target.node,
        replies: replies.map((reply: Body) => ({ by: reply.postedBy.email, body: reply.body })),
      })
    }
    return shown
  }

  async function shownSites() {
    const { items } = await call(`GET ${org}/sites?limit=1000`)
    const shown = []
    for (const site of items) shown.push(await shownSite(site))
    return shown
  }

  async function shownSite({
    id,
    title,
    visibility,
    defaultLevel,
    basename,
    published,
    proxy,
    adaptiveContent,
    type,
  }: Body) {
    const site = `${org}/sites/${id}`
    const { structure, type: structureType } = await call(`GET ${site}/structure`)
    const parts = structure.map((item: Body) => shownPart(item, title))
    const looks = []
    const { items: siteSpaces } = await call(`GET ${site}/site-spaces?limit=1000`)
    for (const one of siteSpaces) looks.push(await call(`GET ${site}/site-spaces/${one.id}/customization`))
    const { items: redirects } = await call(`GET ${site}/redirects?limit=1000`)
    const { items: links } = await call(`GET ${site}/share-links?limit=1000`)
    const { items: servers } = await call(`GET ${site}/mcp-servers?limit=1000`)
    return {
      title,
      visibility,
      defaultLevel,
      roles: await rolesAt(site),
      basename,
      published,
      proxy: proxy?.origin,
      adaptiveContent,
      type,
      structureType,
      parts,
      claims: (await call(`GET ${site}/adaptive-schema?orEmpty=true`)).jsonSchema,
      look: withoutHosts(await call(`GET ${site}/customization`)),
      looks: withoutHosts(looks),
      redirects: redirects.map(({ source, destination, draft, captureWildcard, permanent }: Body) => ({
        source,
        destination,
        draft,
        captureWildcard,
        permanent,
      })),
      servers: servers.map(({ id: _id, urls: _urls, ...server }: Body) => server),
      links: links.map(({ name, active }: Body) => [name, active]),
    }
  }

  /** A section, a group or a space of a site, without what follows from its site. It also names the ids. */
  function shownPart({ id, urls: _urls, sections: _sections, space, ...part }: Body, path: string): Body {
    const title = `${path}/${part.title}`
    names.set(id, `${part.object} ${title}`)
    return {
      ...part,
      space: space?.id,
      siteSpaces: part.siteSpaces?.map((one: Body) => shownPart(one, title)),
      children: part.children?.map((one: Body) => shownPart(one, title)),
    }
  }

  async function specification({ slug, visibility, requestProxy, sourceURL }: Body) {
    const { text } = await call(`GET ${org}/openapi/${slug}/versions/latest/content/raw`)
    return { slug, visibility, requestProxy, sourceURL, text }
  }

  async function inTeam({ id, title }: Body) {
    const { items } = await call(`GET ${org}/teams/${id}/members?limit=1000`)
    const people = items.map(({ organization, team }: Body) => [organization.user.email, team.role])
    return { title, people: sorted(people) }
  }
}

/** Settings with the paths of pictures, whose signatures differ. */
const withoutHosts = (settings: Body): Body =>
  JSON.parse(
    JSON.stringify(settings).replace(/https?:\/\/[^"/]+\/v1\/[^"]*\/(\w+)\/picture\.svg[^"]*/g, 'picture $1'),
  )

const sorted = (items: Body[]): Body[] =>
  items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))

function nameContent(names: Names, title: string, { pages, files, reusableContents }: Body): void {
  const place = (all: Body[], path: string) => {
    for (const page of all) {
      const at = `${path}/${page.title}`
      names.set(page.id, `page ${at}`)
      if (page.pages) place(page.pages, at)
    }
  }
  place(pages, title)
  for (const { id, name } of files) names.set(id, `file ${title}/${name}`)
  for (const one of reusableContents) names.set(one.id, `reusable ${title}/${one.title}`)
}

/** The fields of a page that no copy can keep, or that follow from others. */
const LEFT = new Set(['id', 'createdAt', 'updatedAt', 'urls', 'documentId', 'kind'])

async function withTexts(call: ReturnType<typeof requester>, base: string, content: Body): Promise<Body> {
  const shown = async (page: Body): Promise<Body> => {
    const fields = Object.fromEntries(Object.entries(page).filter(([name]) => !LEFT.has(name)))
    const pages = []
    for (const below of page.pages ?? []) pages.push(await shown(below))
    if (page.type !== 'document') return { ...fields, pages }
    const { markdown } = await call(`GET ${base}/page/${page.id}?format=markdown`)
    return { ...fields, git: page.git?.path, markdown, pages }
  }
  const pages = []
  for (const page of content.pages) pages.push(await shown(page))
  const files = []
  for (const { name, contentType, size, dimensions, downloadURL } of content.files) {
    const bytes = await (await fetch(downloadURL)).text()
    files.push({ name, contentType, size, dimensions, bytes })
  }
  const reusables = []
  for (const { id, title } of content.reusableContents)
    reusables.push({ title, document: await call(`GET ${base}/reusable-contents/${id}/document`) })
  const byName = (a: Body, b: Body) => ((a.name ?? a.title) < (b.name ?? b.title) ? -1 : 1)
  return {
    pages,
    files: files.toSorted(byName),
    reusables: reusables.toSorted(byName),
    variables: content.variables,
    redirects: content.redirects,
  }
}

/** A value with names in place of ids, also within texts. */
function renamed(value: Body, names: Names): Body {
  const text = JSON.stringify(value)
  return JSON.parse(
    text.replace(/[0-9a-zA-Z]{20,26}/g, (id) => {
      const name = names.get(id)
      return name === undefined ? id : JSON.stringify(name).slice(1, -1)
    }),
  )
}
