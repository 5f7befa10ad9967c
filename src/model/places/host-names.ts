import type { Urls } from '../../http/urls.ts'

/**
 * Host names that no organization can take: those that visitors and programs trust to belong to the installation, and
 * those with a meaning of their own in DNS, in mail and in browsers.
 */
const RESERVED = new Set(
  `abuse account accounts admin administrator api app assets auth autoconfig autodiscover blog broadcasthost cdn console
  dashboard dns download email ftp help hostmaster id imap internal invalid isatap lectern local localdomain localhost
  login logout mail mta-sts mx news ns ns1 ns2 oauth oidc pop pop3 postmaster private register root saml security signin
  signup smtp sso static status support system test webmail webmaster wpad www www1 www2`.split(/\s+/),
)

/** Whether no organization can take a host name: it is reserved, or the API itself has the host of its sites. */
export function isReservedHostname(urls: Urls, hostname: string): boolean {
  const site = new URL(urls.siteTarget({ hostname: null, basename: 'site' }, hostname))
  return isReservedName(hostname) || site.host === new URL(urls.api('')).host
}

/** Whether a host name is reserved in every installation. */
export function isReservedName(hostname: string): boolean {
  return RESERVED.has(hostname)
}
