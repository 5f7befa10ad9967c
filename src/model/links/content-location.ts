import { type Static, type TSchema, Type } from 'typebox'
import { ChangeRequest } from '../proposals/change-request.ts'
import { Collection } from '../places/collection.ts'
import { oneOf } from '../common.ts'
import { Revision } from '../history/revision.ts'
import { Organization } from '../places/organization.ts'
import { File, Page, ReusableContent } from '../content/documents/page.ts'
import { OpenApiSpec } from '../openapi/spec.ts'
import { Space } from '../places/space.ts'
import { User } from '../people/user.ts'

/** The version of a space's content. Of the content of a revision, it has only what the location shows. */
const VersionContext = Type.Union([
  Type.Object({ type: oneOf(['revision']), revision: Revision }),
  Type.Object({ type: oneOf(['changeRequest']), changeRequest: ChangeRequest }),
])

export const InternalLocation = Type.Union([
  Type.Object({ type: oneOf(['anchor']), anchor: Type.String() }),
  Type.Object({ type: oneOf(['node']), node: Type.String() }),
])

const Written = Type.Object(
  {
    address: Type.Optional(Type.String()),
    text: Type.Optional(Type.String()),
    line: Type.Optional(Type.Integer()),
  },
  {
    description:
      'The reference in the source: its address, its text, and its line in the Markdown source, from 1. The address is absent if its target is in another space that the caller cannot see.',
  },
)

const within = {
  organization: Organization,
  space: Space,
  versionContext: Type.Optional(VersionContext),
}
const PageLocation = Type.Object({
  kind: oneOf(['page']),
  ...within,
  page: Page,
  internalLocation: Type.Optional(InternalLocation),
  link: Type.Optional(Written),
})
const FileLocation = Type.Object({ kind: oneOf(['file']), ...within, file: File })
const ReusableLocation = Type.Object({
  kind: oneOf(['reusable-content']),
  ...within,
  reusableContent: ReusableContent,
  link: Type.Optional(Written),
})
const UrlLocation = Type.Object({ kind: oneOf(['url']), url: Type.String() })
const UserLocation = Type.Object({ kind: oneOf(['user']), user: User })
const SpaceLocation = Type.Object({ kind: oneOf(['space']), organization: Organization, space: Space })
const CollectionLocation = Type.Object({
  kind: oneOf(['collection']),
  organization: Organization,
  collection: Collection,
})

const OpenApiLocation = Type.Object({
  kind: oneOf(['openapi']),
  organization: Organization,
  openAPISpec: OpenApiSpec,
})

type Of<S extends TSchema> = Static<S>

/** The location of content, with all resources that contain it. */
export type ContentLocation =
  | Of<typeof PageLocation>
  | Of<typeof FileLocation>
  | Of<typeof ReusableLocation>
  | Of<typeof UrlLocation>
  | Of<typeof UserLocation>
  | Of<typeof SpaceLocation>
  | Of<typeof CollectionLocation>
  | Of<typeof OpenApiLocation>

export const ContentLocation = Type.Unsafe<ContentLocation>({
  title: 'ContentLocation',
  anyOf: [
    PageLocation,
    FileLocation,
    ReusableLocation,
    UrlLocation,
    UserLocation,
    SpaceLocation,
    CollectionLocation,
    OpenApiLocation,
  ],
  discriminator: { propertyName: 'kind' },
})
