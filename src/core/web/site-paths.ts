/** The path of the sites on the API's own host, for installations without a host name for each organization. */
export const SITES_PATH = '/sites/'

/** The path of the assets of all sites, on every host. */
export const ASSET_BASE = '/_lectern/'

/** The path of the assets within a site that a proxy forwards: the origin forwards only its own path. */
export const ASSETS_OF_SITE = '~/assets/'
