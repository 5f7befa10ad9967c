/** The paths below `/v1` that several parts of the console pass on. */

export type OrganizationPath = `/orgs/${string}`
export type MemberPath = `${OrganizationPath}/members/${string}`
export type TeamPath = `${OrganizationPath}/teams/${string}`
export type SitePath = `${OrganizationPath}/sites/${string}`
export type SpacePath = `/spaces/${string}`
export type CollectionPath = `/collections/${string}`
export type ChangeRequestPath = `${SpacePath}/change-requests/${string}`
export type RevisionPath = `${SpacePath}/revisions/${string}`
/** A space or a change request. Both have comments. */
export type DiscussedPath = SpacePath | ChangeRequestPath
type CommentPath = `${DiscussedPath}/comments/${string}`
/** A comment or a reply. */
export type PostedPath = CommentPath | `${CommentPath}/replies/${string}`
/** The content of a space or a change request, which can be changed. */
export type WritablePath = `${SpacePath}/content` | `${ChangeRequestPath}/content`
/** The content of a space, a change request or a revision. */
export type ContentPath = WritablePath | RevisionPath
