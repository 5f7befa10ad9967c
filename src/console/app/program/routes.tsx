/** The screens by their addresses below `/app`. Each is loaded when it is first shown. */
import { type ComponentType, lazy, type LazyExoticComponent } from 'react'

type Screen = LazyExoticComponent<ComponentType<{ params: Record<string, string> }>>

const screen = (load: () => Promise<Record<string, unknown>>, name: string): Screen =>
  lazy(async () => ({ default: (await load())[name] as ComponentType<{ params: Record<string, string> }> }))

/**
 * The first pattern that fits is shown. A parameter has no slash; `*` is the rest. With `*?`, the screen also has an
 * address without a page: with two patterns, it would be drawn anew for its first page, and lose the focus.
 */
export const ROUTES: readonly [pattern: string, screen: Screen][] = [
  ['/', screen(() => import('../features/home/home-screen.tsx'), 'Home')],
  ['/inbox', screen(() => import('../features/home/inbox-screen.tsx'), 'InboxScreen')],
  ['/drafts', screen(() => import('../features/home/drafts-screen.tsx'), 'DraftsScreen')],
  [
    '/installation',
    screen(() => import('../features/installation/installation-screen.tsx'), 'InstallationScreen'),
  ],
  ['/profile', screen(() => import('../features/account/profile-screen.tsx'), 'ProfileScreen')],
  ['/o/:organizationId/start', screen(() => import('../features/home/start-screen.tsx'), 'StartScreen')],
  [
    '/o/:organizationId/people',
    screen(() => import('../features/organization/people-screen.tsx'), 'PeopleScreen'),
  ],
  [
    '/o/:organizationId/teams',
    screen(() => import('../features/organization/teams-screen.tsx'), 'TeamsScreen'),
  ],
  ['/o/:organizationId/sites', screen(() => import('../features/site/sites-screen.tsx'), 'SitesScreen')],
  [
    '/o/:organizationId/sites/:siteId',
    screen(() => import('../features/site/site-screen.tsx'), 'SiteScreen'),
  ],
  [
    '/o/:organizationId/sites/:siteId/insights',
    screen(() => import('../features/site/site-insights-screen.tsx'), 'SiteInsightsScreen'),
  ],
  [
    '/o/:organizationId/sites/:siteId/redirects',
    screen(() => import('../features/site/site-redirects-screen.tsx'), 'SiteRedirectsScreen'),
  ],
  [
    '/o/:organizationId/sites/:siteId/visitors',
    screen(() => import('../features/site/site-visitors-screen.tsx'), 'SiteVisitorsScreen'),
  ],
  [
    '/o/:organizationId/sites/:siteId/people',
    screen(() => import('../features/site/site-people-screen.tsx'), 'SitePeopleScreen'),
  ],
  [
    '/o/:organizationId/sites/:siteId/mcp',
    screen(() => import('../features/site/site-mcp-screen.tsx'), 'SiteMcpScreen'),
  ],
  [
    '/o/:organizationId/sites/:siteId/options',
    screen(() => import('../features/site/site-options-screen.tsx'), 'SiteOptionsScreen'),
  ],
  [
    '/o/:organizationId/sites/:siteId/spaces/:siteSpaceId',
    screen(() => import('../features/site/site-space-look-screen.tsx'), 'SiteSpaceLookScreen'),
  ],
  [
    '/o/:organizationId/settings',
    screen(() => import('../features/organization/organization-settings-screen.tsx'), 'SettingsScreen'),
  ],
  [
    '/o/:organizationId/settings/fields',
    screen(() => import('../features/organization/custom-fields-screen.tsx'), 'CustomFieldsScreen'),
  ],
  [
    '/o/:organizationId/settings/glossary',
    screen(() => import('../features/organization/glossary-screen.tsx'), 'GlossaryScreen'),
  ],
  [
    '/o/:organizationId/settings/page-templates',
    screen(() => import('../features/organization/page-templates-screen.tsx'), 'PageTemplatesScreen'),
  ],
  [
    '/o/:organizationId/settings/fonts',
    screen(() => import('../features/organization/fonts-screen.tsx'), 'FontsScreen'),
  ],
  [
    '/o/:organizationId/settings/sign-in',
    screen(() => import('../features/organization/single-sign-on-screen.tsx'), 'SingleSignOnScreen'),
  ],
  [
    '/o/:organizationId/audit',
    screen(() => import('../features/organization/audit-screen.tsx'), 'AuditScreen'),
  ],
  [
    '/o/:organizationId/trash',
    screen(() => import('../features/organization/trash-screen.tsx'), 'TrashScreen'),
  ],
  [
    '/o/:organizationId/openapi',
    screen(() => import('../features/openapi/openapi-screen.tsx'), 'OpenApiScreen'),
  ],
  [
    '/o/:organizationId/openapi/:slug',
    screen(() => import('../features/openapi/specification-screen.tsx'), 'SpecificationScreen'),
  ],
  [
    '/o/:organizationId/translations',
    screen(() => import('../features/organization/translations-screen.tsx'), 'TranslationsScreen'),
  ],
  [
    '/o/:organizationId',
    screen(() => import('../features/organization/organization-screen.tsx'), 'OrganizationScreen'),
  ],
  [
    '/o/:organizationId/changes',
    screen(() => import('../features/change-request/change-requests-screens.tsx'), 'OrganizationChanges'),
  ],
  [
    '/c/:collectionId',
    screen(() => import('../features/collection/collection-screens.tsx'), 'CollectionScreen'),
  ],
  [
    '/c/:collectionId/share',
    screen(() => import('../features/collection/collection-screens.tsx'), 'CollectionShareScreen'),
  ],
  [
    '/c/:collectionId/settings',
    screen(() => import('../features/collection/collection-screens.tsx'), 'CollectionSettingsScreen'),
  ],
  [
    '/s/:spaceId/~/changes',
    screen(() => import('../features/change-request/change-requests-screens.tsx'), 'SpaceChanges'),
  ],
  [
    '/s/:spaceId/~/changes/:number',
    screen(() => import('../features/change-request/change-request-screen.tsx'), 'ChangeRequestScreen'),
  ],
  [
    '/s/:spaceId/~/changes/:number/diff',
    screen(() => import('../features/change-request/diff-screen.tsx'), 'DiffScreen'),
  ],
  [
    '/s/:spaceId/~/changes/:number/conflicts',
    screen(() => import('../features/change-request/conflicts/conflicts-screen.tsx'), 'ConflictsScreen'),
  ],
  [
    '/s/:spaceId/~/changes/:number/history',
    screen(
      () => import('../features/change-request/change-request-history-screen.tsx'),
      'ChangeRequestHistory',
    ),
  ],
  [
    '/s/:spaceId/~/history',
    screen(() => import('../features/space/space-history-screen.tsx'), 'SpaceHistory'),
  ],
  [
    '/s/:spaceId/~/revisions/:revisionId/*?',
    screen(() => import('../features/space/revision-screen.tsx'), 'RevisionScreen'),
  ],
  ['/s/:spaceId/~/comments', screen(() => import('../features/space/comments-screen.tsx'), 'CommentsScreen')],
  [
    '/s/:spaceId/~/pages/:pageId/history',
    screen(() => import('../features/space/page-history-screen.tsx'), 'PageHistoryScreen'),
  ],
  [
    '/s/:spaceId/~/pages/:pageId/links',
    screen(() => import('../features/space/page-links-screen.tsx'), 'PageLinksScreen'),
  ],
  [
    '/s/:spaceId/~/changes/:number/pages/:pageId/history',
    screen(() => import('../features/space/page-history-screen.tsx'), 'PageHistoryScreen'),
  ],
  [
    '/s/:spaceId/~/changes/:number/pages/:pageId/links',
    screen(() => import('../features/space/page-links-screen.tsx'), 'PageLinksScreen'),
  ],
  [
    '/s/:spaceId/~/changes/:number/links',
    screen(() => import('../features/change-request/change-request-links-screen.tsx'), 'ChangeRequestLinks'),
  ],
  ['/s/:spaceId/~/share', screen(() => import('../features/space/share-screen.tsx'), 'ShareScreen')],
  [
    '/s/:spaceId/~/settings',
    screen(() => import('../features/space/space-settings-screen.tsx'), 'SpaceSettingsScreen'),
  ],
  ['/s/:spaceId/~/files', screen(() => import('../features/space/files-screen.tsx'), 'FilesScreen')],
  [
    '/s/:spaceId/~/variables',
    screen(() => import('../features/space/variables-screen.tsx'), 'VariablesScreen'),
  ],
  [
    '/s/:spaceId/~/redirects',
    screen(() => import('../features/space/space-redirects-screen.tsx'), 'RedirectsScreen'),
  ],
  ['/s/:spaceId/~/reusable', screen(() => import('../features/space/reusable-screen.tsx'), 'ReusableScreen')],
  [
    '/s/:spaceId/~/changes/:number/reusable/:id',
    screen(() => import('../features/editing/reusable-edit-screen.tsx'), 'ReusableEditScreen'),
  ],
  ['/s/:spaceId/~/sync', screen(() => import('../features/space/sync/sync-screen.tsx'), 'SyncScreen')],
  ['/s/:spaceId/~/links', screen(() => import('../features/space/space-links-screen.tsx'), 'LinksScreen')],
  [
    '/s/:spaceId/~/changes/:number/edit/*?',
    screen(() => import('../features/editing/edit-screen.tsx'), 'EditScreen'),
  ],
  ['/s/:spaceId/*?', screen(() => import('../features/space/space-screen.tsx'), 'SpaceScreen')],
]
