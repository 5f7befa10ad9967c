/** The names that a renderer gives to its cached data: those of the package `@gitbook/cache-tags`. */
export const cacheTags = {
  space: (id: string) => `space:${id}`,
  site: (id: string) => `site:${id}`,
  changeRequest: (spaceId: string, id: string) => `space:${spaceId}:change-request:${id}`,
  specification: (organizationId: string, slug: string) => `organization:${organizationId}:openapi:${slug}`,
}
