/** Requests for translations, the glossary, templates of pages, and for identity providers of SAML and OpenID Connect. */
import { inOrg, type Make, org, withBody } from './makers.ts'

const translation: Make = async (t) => ({
  params: { ...inOrg(t), translationSettingsId: await t.translation() },
})
const term: Make = async (t) => ({ params: { ...inOrg(t), glossaryEntryId: await t.glossaryEntry() } })
const pageTemplate: Make = async (t) => ({
  params: { ...inOrg(t), pageTemplateId: await t.pageTemplate() },
})
const saml: Make = async (t) => ({ params: { ...inOrg(t), samlProviderId: await t.provider('saml') } })
const oidc: Make = async (t) => ({ params: { ...inOrg(t), oidcProviderId: await t.provider('oidc') } })

export const PROVIDER_CALLS: Record<string, Make> = {
  listTranslations: org,
  createTranslation: withBody(org, { title: 'Languages' }),
  getTranslation: translation,
  updateTranslation: withBody(translation, { title: 'Renamed' }),
  deleteTranslation: translation,
  listGlossaryEntries: org,
  updateGlossaryEntries: async (t) => ({
    params: inOrg(t),
    body: { operations: [{ type: 'update', id: await t.glossaryEntry(), translations: { de: 'Wort' } }] },
  }),
  getGlossaryEntry: term,
  listPageTemplates: org,
  createPageTemplate: withBody(org, { title: 'Interview', markdown: '## Questions\n' }),
  getPageTemplate: pageTemplate,
  updatePageTemplate: withBody(pageTemplate, { title: 'Renamed' }),
  deletePageTemplate: pageTemplate,

  listSSOProviderLoginsInOrganization: org,
  listSAMLProvidersInOrganizationById: org,
  createOrganizationSAMLProvider: async (t) => ({
    params: inOrg(t),
    body: { label: 'SAML', defaultTeam: await t.team() },
  }),
  getOrganizationSAMLProviderById: saml,
  updateOrganizationSAMLProvider: async (t, caller) => ({
    ...(await saml(t, caller)),
    body: { label: 'Renamed', defaultTeam: await t.team() },
  }),
  deleteOrganizationSAMLProvider: saml,
  listOIDCProvidersInOrganizationById: org,
  createOrganizationOIDCProvider: async (t) => ({
    params: inOrg(t),
    body: { label: 'OpenID', defaultTeam: await t.team() },
  }),
  getOrganizationOIDCProviderById: oidc,
  updateOrganizationOIDCProvider: async (t, caller) => ({
    ...(await oidc(t, caller)),
    body: { label: 'Renamed', defaultTeam: await t.team() },
  }),
  deleteOrganizationOIDCProvider: oidc,
}
