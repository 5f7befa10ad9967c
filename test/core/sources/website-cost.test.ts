/** Converting pages of websites, and reading their links and rules, takes time that grows with their length. */
import { describe, test } from 'node:test'
import { ImportRefused } from '../../../src/core/repository/refused.ts'
import { CRAWL_FILE } from '../../../src/core/sources/website/addresses.ts'
import { convertWebsite } from '../../../src/core/sources/website/convert.ts'
import { allowedAddresses, readCrawledPage } from '../../../src/core/sources/website/read-page.ts'
import { assertLinear, familiesOf, nested, repeated } from '../cost/growth.ts'
import { bytesIn } from './sources.ts'

const url = 'http://example.com/docs/'
const robots = { url: 'http://example.com/robots.txt', text: '' }

const PAGES = {
  menus: repeated('<ul><li><a href=a>a</a><a href=b>b</a><a href=c>c</a></ul>'),
  'menus in menus': nested('<div class="sidebar"><a href=a>a</a>', '</div>'),
  'chrome around content': nested('<nav>', '</nav>'),
  'links to many pages': repeated('<a href="?utm_source=a&x">x</a>'),
  'long addresses': repeated('/a', '<a href="', '">x</a>'),
  classes: repeated('toc_', '<p class="', '">x'),
}

describe('pages of websites are converted in linear time', () => {
  for (const [name, make] of familiesOf(PAGES, 3))
    test(name, () => {
      assertLinear(make, (html) => {
        const page = { url, aliases: [], file: 'page' }
        const crawl = JSON.stringify({ scope: '/docs/', pages: [page], images: [], problems: [] })
        try {
          readCrawledPage(Buffer.from(html), { url, robots })
          convertWebsite(bytesIn({ [CRAWL_FILE]: crawl, page: html }))
        } catch (error) {
          if (!(error instanceof ImportRefused)) throw error
        }
      })
    })
})

const RULES = {
  rules: repeated('Disallow: /a\n', 'User-agent: *\n'),
  wildcards: repeated('*a', 'User-agent: *\nDisallow: /', '\n'),
  agents: repeated('User-agent: Lectern\n'),
  spaces: repeated(' '),
}

describe('robots.txt is read in linear time', () => {
  for (const [name, make] of familiesOf(RULES, 3))
    test(name, () => {
      assertLinear(make, (text) => allowedAddresses({ ...robots, text }, [`${url}${'a'.repeat(100)}b`]))
    })
})
