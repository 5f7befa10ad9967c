/** The operations of the API that have no screen, by the reason. */
export const WITHOUT_SCREEN: Readonly<Record<string, readonly string[]>> = {
  'The pages and programs of published sites send it': [
    'getPublishedContentSite',
    'trackEventsInSiteById',
    'searchSiteContent',
  ],
  'It is for programs that have an address and need what it names': [
    'getContentByUrl',
    'getPublishedContentByUrl',
    'resolvePublishedContentByUrl',
    'getSubdomain',
    'getPageInChangeRequestByPath',
  ],
  'The pages for signing in set cookies, which an operation cannot': ['acceptInvitation', 'createSession'],
  'The page for signing in reads the same from the database': ['listSSOProviderLoginsInOrganization'],
  'The screen has it from the list of such things': [
    'getOrganizationCustomFieldByName',
    'getJob',
    'getPasskey',
    'getScimToken',
    'getSiteRedirectById',
    'getSiteSectionById',
    'getSiteSectionGroupById',
    'getSiteShareLinkById',
    'getSiteExternalLinkById',
    'getSiteSpaceById',
    'getToken',
    'getOrganizationInviteLink',
    'getOrganizationOIDCProviderById',
    'getOrganizationSAMLProviderById',
    'getNotificationById',
    'getChangeRequestReviewById',
  ],
  'The screen uses an operation that does this and more, such as sorting the whole structure': [
    'listSiteExternalLinks',
    'listSiteSectionGroups',
    'moveSiteSection',
    'moveSiteSectionGroup',
    'moveSiteSpace',
    'addMemberToOrganizationTeamById',
    'deleteMemberFromOrganizationTeamById',
  ],
  'The console needs only the page tree and one page of it, and these have everything at once': [
    'getRevisionById',
  ],
  'Browsers load it from an address in another response': [
    'downloadBook',
    'downloadFile',
    'downloadUserPhoto',
    'getUpload',
    'putUpload',
  ],
  'A page of the server authorizes tokens, and lists those that the account has': [
    'deleteTokenAuthorization',
    'getTokenAuthorization',
    'listTokenAuthorizations',
  ],
  'It is for programs that watch the server': ['getApiInformation'],
  'Proxies send it before they request a certificate': ['checkCertificateDomain'],
  'Requests with a session count as activity': ['updateOrganizationMemberLastSeenAt'],
  'The console shows the list, the newest version, or the file at the address in it': [
    'downloadOpenAPISpecVersion',
    'getLatestOpenAPISpecVersion',
    'getLatestOpenAPISpecVersionContentRaw',
    'getOpenAPISpecVersionById',
    'getOpenAPISpecVersionContentById',
    'getOpenAPISpecVersionContentRawById',
    'getTranslation',
  ],
  'Each comment and each contributor names its author': [
    'listCommentersInChangeRequest',
    'listCommentersInSpace',
  ],
  'It is for programs that make the pages of a specification themselves; the console saves the page, and reads it':
    ['getComputedDocument', 'getComputedRevision'],
  'The editor reads and writes the revision that it was given, so that a save is based on what the writer sees':
    ['getReusableContentDocument', 'getReusableContentDocumentInChangeRequestById'],
  'Page trees are read level by level, as outlines': ['listPagesInChangeRequest', 'listPagesInRevisionById'],
  'Files and reusable contents are those of the space; a change of them is made in a change request': [
    'listFilesInRevisionById',
    'listReusableContentsInChangeRequest',
    'listReusableContentsInRevision',
    'listChangeRequestFileBacklinks',
    'listChangeRequestReusableContentBacklinks',
  ],
  'Renderers of sites need it; the console shows the link, the address or the page itself': [
    'getDocumentById',
    'getEmbedByUrlInSpace',
    'listChangeRequestPageMetaLinks',
    'listRevisionPageMetaLinks',
    'listSpacePageMetaLinks',
  ],
  'The palette searches all spaces at once': ['searchSpaceContent'],
}

/** The addresses in responses that have no screen yet; `x` stands for an id or a name. */
export const WITHOUT_ROUTE: readonly string[] = []
