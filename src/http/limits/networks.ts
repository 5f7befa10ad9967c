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
  // The parser of IPv4 makes an error of each text that is none, which takes longer than all else here.
  if (!text.includes(':'))
    return ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.IPv4.parse(text) : undefined
  // URL normalizes every form of an IPv6 address, and refuses zones.
  if (!URL.canParse(`http://[${text}]/`)) return undefined
  const parsed = ipaddr.IPv6.parse(new URL(`http://[${text}]/`).hostname.slice(1, -1))

  return parsed.isIPv4MappedAddress() ? parsed.toIPv4Address() : parsed
}

/** True if an address is in one of the ranges. */
export function isInRanges(address: Address, ranges: Ranges): boolean {
  return ranges.some(([first, bits]) => first.kind() === address.kind() && address.match(first, bits))
}

/**
 * A network that a client is in. A customer of a provider may have all of a /48 of IPv6, which are 65,536 of the networks
 * that most customers have. So a client is counted in each network around it, and the larger ones have larger limits.
 */
export interface Network {
  name: string
  /** 0 for the smallest, which one client may have for itself; 1 and 2 for larger ones. */
  level: 0 | 1 | 2
}

/** What a caller is counted by: an id, or the networks of a client, the smallest first. */
export type Counted = string | readonly Network[]

/** The networks by which a client is counted: an IPv4 address and its /24, or the /64, /56 and /48 of an IPv6 address. */
export function clientOf(ip: string): readonly Network[] {
  if (ip.includes(':')) {
    const address = parseAddress(ip)
    return address?.kind() === 'ipv4' ? clientOf(address.toString()) : networksOf(ip)
  }
  const end = ip.lastIndexOf('.')
  if (end < 0) return [{ name: ip, level: 0 }]
  return [
    { name: ip, level: 0 },
    { name: `${ip.slice(0, end)}.0/24`, level: 2 },
  ]
}

const IPV6 = [
  [8, 0],
  [7, 1],
  [6, 2],
] as const

/**
 * The networks of an IP address without the address itself: the /24 of an IPv4 address, and the /64, /56 and /48 of an
 * IPv6 address, the blocks that providers assign to one customer. Text that is not an address is its own network.
 */
export function networksOf(text: string): readonly Network[] {
  const address = parseAddress(text)
  if (!address) return [{ name: text, level: 0 }]
  const bytes = address.toByteArray()
  if (address.kind() === 'ipv4') return [{ name: `${bytes.slice(0, 3).join('.')}.0/24`, level: 0 }]
  return IPV6.map(([length, level]) => ({
    name: `${Buffer.from(bytes.slice(0, length)).toString('hex')}/${8 * length}`,
    level,
  }))
}

/** The name of the largest network of a client, whose clients take turns together; or the id of a caller. */
export function partyOf(counted: Counted): string {
  return typeof counted === 'string' ? counted : counted.at(-1)!.name
}

/** Networks that are counted apart from the same networks elsewhere. */
export function countedFor(what: string, networks: readonly Network[]): readonly Network[] {
  return networks.map(({ name, level }) => ({ name: `${what} ${name}`, level }))
}
