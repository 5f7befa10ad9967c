/** A valid request for every operation on the appearance of sites. */
import { inOrg, type Make } from './makers.ts'
import { site } from './site-calls.ts'

const siteSpace: Make = async (t) => {
  const siteId = await t.site()
  return { params: { ...inOrg(t), siteId, siteSpaceId: await t.siteSpaceOf(siteId) } }
}

const linkTo = (space: string) => ({
  footer: { groups: [{ title: 'More', links: [{ title: 'A space', to: { kind: 'space', space } }] }] },
})

const font: Make = async (t) => ({ params: { ...inOrg(t), fontId: (await t.font()).id } })

export const LOOK_CALLS: Record<string, Make> = {
  getSiteCustomizationById: site,
  updateSiteCustomizationById: async (t, caller) => ({
    ...(await site(t, caller)),
    body: linkTo(await t.space()),
  }),
  uploadSitePicture: async (t, caller) => ({
    ...(await site(t, caller)),
    body: { base64: Buffer.from('<svg />').toString('base64') },
  }),
  getSiteSpaceCustomizationById: siteSpace,
  overrideSiteSpaceCustomizationById: async (t, caller) => ({
    ...(await siteSpace(t, caller)),
    body: linkTo(await t.space()),
  }),
  deleteSiteSpaceCustomizationById: async (t, caller) => {
    const call = await siteSpace(t, caller)
    await t.override(call.params?.siteSpaceId ?? '')
    return call
  },
  listCustomFonts: (t) => ({ params: inOrg(t) }),
  createCustomFont: async (t, caller) => ({
    params: inOrg(t),
    body: {
      fontFamily: 'Brand',
      fontFaces: [{ weight: 400, storageKey: await t.fontUpload(caller.person.id) }],
    },
  }),
  getCustomFont: font,
  updateCustomFont: async (t, caller) => ({ ...(await font(t, caller)), body: { fontFamily: 'Renamed' } }),
  deleteCustomFont: font,
  downloadFontFile: async (t) => {
    const { id, hash } = await t.font()
    return { params: { ...inOrg(t), fontId: id, hash, name: '400.woff2' } }
  },
}
