/** Addresses that lead, or try to lead, to what is not public: each must be refused without a connection. */

/** Hosts that are this machine, in every spelling that some parser reads as such. */
const LOOPBACK = [
  '127.0.0.1 127.0.0.1. 127.1 127.0.1 127.000.000.001 127.0.0.2 127.255.255.254',
  '2130706433 0x7f000001 0x7F000001 0x7f.1 0x7f.0.0.1 0x7f.0x0.0x0.0x1 0177.1 0177.0.0.1 017700000001',
  '00177.0000.00.01 0x000000007f000001 127.0x1 127.0.0x0001',
  '127。0。0。1 127．0．0．1 127｡0｡0｡1 １２７.０.０.１ ①②⑦.⓪.⓪.① 127%2e0%2e0%2e1 %31%32%37.0.0.1',
  '0.0.0.0 0 0x0 00 0.0 0.1.2.3',
  '[::1] [0:0:0:0:0:0:0:1] [0000::0001] [::] [0::0] [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:0001]',
  '[0:0:0:0:0:ffff:127.0.0.1] [::127.0.0.1] [::7f00:1] [::ffff:0:127.0.0.1] [::ffff:0.0.0.0]',
  '[64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2002:7f00:1::1]',
  'localhost LOCALHOST localhost. loc%61lhost ｌｏｃａｌｈｏｓｔ localhost。 ⓛⓞⓒⓐⓛⓗⓞⓢⓣ loca\u{AD}lhost',
].flatMap((line) => line.split(' '))

/** Hosts in ranges that the registries of the Internet do not give to anybody in public. */
const PRIVATE = [
  '10.0.0.1 10.255.255.255 012.0.0.1 0xa.0.0.1 167772161 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.255',
  '0xc0a80001 0300.0250.0.1 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 169.254.43518',
  '[::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [64:ff9b::a9fe:a9fe] [2002:a9fe:a9fe::1] 100.64.0.1 100.100.100.200',
  '100.127.255.254 192.0.0.1 192.0.0.8 192.0.0.170 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255',
  '198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255',
  '[fc00::1] [fd00:ec2::254] [fdff:ffff::1] [fe80::1] [febf::1] [fec0::1] [ff02::1] [ff0e::1] [100::1]',
  '[2001:db8::1] [2001::1] [2001:10::1] [3fff::1] [4000::1] [5f00::1] [2001:2::1]',
].flatMap((line) => line.split(' '))

/** Addresses whose host is not what it seems, or that no fetch may follow. @param port where the canary listens */
const disguised = (port: number) => [
  `http://public.example@127.0.0.1:${port}/`,
  `http://public.example:80@127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}#@public.example/`,
  `http://127.0.0.1:${port}?@public.example/`,
  `http://127.0.0.1:${port}\\@public.example/`,
  `http://public.example\\@127.0.0.1:${port}/`,
  `http:127.0.0.1:${port}/`,
  `http:/127.0.0.1:${port}/`,
  `http:\\\\127.0.0.1:${port}/`,
  `http:///127.0.0.1:${port}/`,
  `HtTp://127.0.0.1:${port}/`,
  `http://127.0.0.1:0${port}/`,
  `http://user:password@[::1]:${port}/`,
  `http://[::1%25lo]:${port}/`,
  `http://[::1%lo]:${port}/`,
  `http://[127.0.0.1]:${port}/`,
  `http://127.0.0.1%00.public.example:${port}/`,
  `http://127.0.0.1%20public.example:${port}/`,
  `http://127.0.0.1%23.public.example:${port}/`,
  `//127.0.0.1:${port}/`,
  `file:///etc/passwd`,
  `file://localhost/etc/passwd`,
  `file://127.0.0.1/etc/passwd`,
  `ftp://127.0.0.1:${port}/`,
  `gopher://127.0.0.1:${port}/_GET%20/`,
  `dict://127.0.0.1:${port}/info`,
  `ldap://127.0.0.1:${port}/`,
  `ws://127.0.0.1:${port}/`,
  `jar:http://127.0.0.1:${port}!/`,
  `data:application/json,{}`,
  `blob:http://127.0.0.1:${port}/1`,
  `javascript:fetch("http://127.0.0.1:${port}")`,
  `/etc/passwd`,
]

/** Where a server that may be reached redirects to. @param port where the canary listens */
const redirected = (port: number) =>
  [
    `http://127.0.0.1:${port}/`,
    `//127.0.0.1:${port}/`,
    `\\\\127.0.0.1:${port}/`,
    `http://[::1]:${port}/`,
    `http://2130706433:${port}/`,
    `http://localhost:${port}/`,
    `http://169.254.169.254/latest/meta-data/`,
    `http://a@127.0.0.1:${port}/`,
    `file:///etc/passwd`,
    `gopher://127.0.0.1:${port}/`,
    `http://private.example:${port}/`,
  ].flatMap((target) => [301, 302, 303, 307, 308].map((status) => ({ status, target })))

/**
 * Every forged address.
 * @param port where a canary listens on the loopback addresses
 * @param redirector the address of a server that may be reached, and answers `/<status>?to=<address>` with a redirect
 */
export function forgedAddresses(port: number, redirector: string): string[] {
  const redirects = redirected(port).map(
    ({ status, target }) => `${redirector}/${status}?to=${encodeURIComponent(target)}`,
  )
  const twice = `${redirector}/302?to=${encodeURIComponent(redirects[0]!)}`
  const named = ['private', 'rebinding', 'mixed', 'metadata', 'mapped'].map(
    (name) => `http://${name}.example:${port}/`,
  )
  return [
    ...[...LOOPBACK, ...PRIVATE].map((host) => `http://${host}:${port}/`),
    ...disguised(port),
    ...redirects,
    twice,
    ...named,
  ]
}
