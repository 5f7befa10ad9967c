import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readUserAgent } from './user-agent.ts'

const AGENTS: [header: string, device: string, browser: string, os: string, bot?: string][] = [
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    'desktop',
    'chrome',
    'windows',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    'desktop',
    'edge',
    'windows',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'mobile',
    'safari',
    'ios',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1',
    'tablet',
    'chrome',
    'ios',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'desktop', 'firefox', 'linux'],
  [
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile Safari/537.36 OPR/90.0',
    'mobile',
    'opera',
    'android',
  ],
  [
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'unknown',
    'unknown',
    'unknown',
    'googlebot',
  ],
  ['curl/8.5.0', 'unknown', 'unknown', 'unknown', 'unknown'],
  ['', 'unknown', 'unknown', 'unknown'],
]

test('names the device, the browser, the system and the bot', () => {
  for (const [header, device, browser, os, bot] of AGENTS)
    assert.deepEqual(readUserAgent(header), { device, browser, os, ...(bot ? { bot } : {}) }, header)
})
