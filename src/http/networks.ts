import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Ranges of addresses: the first address and the number of leading bits that count. */
export type Ranges = [Address, number][]

/** Parses a comma-separated list of ranges and addresses, such as `10.0.0.0/8, ::1`. @throws naming a wrong entry */
export function parseRanges(list: string): Ranges {
  const entries = list.split(',').map((entry) => entry.trim())

  return entries.filter((entry) => entry !== '').map(parseRange)
}

function parseRange(entry: string): Ranges[number] {
  if (ipaddr.isValidCIDR(entry)) return ipaddr.parseCIDR(entry)
  if (!ipaddr.IPv4.isValidFourPartDecimal(entry) && !ipaddr.IPv6.isValid(entry)) {
    throw new Error(`"${entry}" is not an IP address or a range such as 10.0.0.0/8`)
  }
  const address = ipaddr.parse(entry)

  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Parses an IP address. An IPv4-mapped address is the IPv4 address. @returns undefined for any other text */
export function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text)
  // URL normalizes every form of an IPv6 address, and refuses zones.
  if (!text.includes(':') || !URL.canParse(`http://[${text}]/`)) return undefined
  const parsed = ipaddr.IPv6.parse(new URL(`http://[${text}]/`).hostname.slice(1, -1))

  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed
}

/** True if an address is in one of the ranges. */
export function isInRanges(address: Address, ranges: Ranges): boolean {
  return ranges.some(([first, bits]) => first.kind() === address.kind() && address.match(first, bits))
}

/**
 * Returns the key by which a client is counted: an IPv4 address, or the /64 of an IPv6 address, because a single
 * client can use all addresses of a /64.
 */
export function clientOf(ip: string): string {
  return ip.includes(':') ? networkOfAddress(ip, 32) : ip
}

/**
 * The network of an IP address: the /24 of an IPv4 address and the /64 of an IPv6 address, the smallest blocks that
 * providers assign to one customer. Text that is not an address is returned as it is.
 */
export function networkOf(text: string): string {
  return networkOfAddress(text, 24)
}

function networkOfAddress(text: string, bitsOfIPv4: 24 | 32): string {
  const address = parseAddress(text)
  if (!address) return text
  const bytes = address.toByteArray()
  if (address.kind() === 'ipv6') return `${Buffer.from(bytes.slice(0, 8)).toString('hex')}/64`
  return bitsOfIPv4 === 32 ? bytes.join('.') : `${bytes.slice(0, 3).join('.')}.0/24`
}
