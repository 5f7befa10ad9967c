import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastCost } from '../../../test/cpu.ts'
import { LanguageVotes } from './detect-language.ts'

const languageOf = (...texts: string[]) => languageOfAll(texts)

function languageOfAll(texts: readonly string[]): string | undefined {
  const votes = new LanguageVotes()
  for (const text of texts) votes.add(text)
  return votes.winner()
}

const TEXTS: Record<string, string> = {
  en: 'This page describes how you install the server on your own machine, and what it needs before it starts for the first time.',
  de: 'Diese Seite beschreibt, wie Sie den Server auf Ihrem eigenen Rechner einrichten und was er braucht, bevor er zum ersten Mal startet.',
  fr: 'Cette page explique comment installer le serveur sur votre propre machine, et ce dont il a besoin avant de démarrer pour la première fois.',
  pt: 'Esta página descreve como instalar o servidor na sua própria máquina e o que é necessário antes que ele seja iniciado pela primeira vez.',
  ru: 'На этой странице описано, как установить сервер на собственном компьютере и что ему нужно перед первым запуском.',
  zh: '本页说明如何在自己的机器上安装服务器，以及第一次启动之前需要准备什么。',
  ja: 'このページでは、自分のマシンにサーバーをインストールする方法と、初めて起動する前に必要なものを説明します。',
  ko: '이 페이지에서는 서버를 자신의 컴퓨터에 설치하는 방법과 처음 시작하기 전에 필요한 것을 설명합니다.',
  ar: 'تشرح هذه الصفحة كيفية تثبيت الخادم على جهازك الخاص وما يحتاج إليه قبل أن يبدأ لأول مرة.',
  he: 'דף זה מתאר כיצד להתקין את השרת על המחשב שלכם ומה הוא צריך לפני שהוא מופעל בפעם הראשונה, ואיך לעדכן אותו.',
  no: 'Denne siden beskriver hvordan du installerer serveren på din egen maskin, og hva den trenger før den starter for første gang.',
}

for (const [code, text] of Object.entries(TEXTS))
  test(`a text in "${code}" is recognized`, () => assert.equal(languageOf(text), code))

test('code, addresses and names in another language do not count', () => {
  assert.equal(
    languageOf(
      'Install\n`npm install --save-exact lectern`',
      TEXTS.zh!,
      'https://example.com/the/path/of/a/page.html',
    ),
    'zh',
  )
  assert.equal(languageOf('安装 server.start({ port: 3000 })/usr/local/bin ' + TEXTS.zh!), 'zh')
})

test('too little text, and languages of equal weight, tell nothing', () => {
  assert.equal(languageOf(), undefined)
  assert.equal(languageOf('Hello world, this is it'), undefined)
  assert.equal(languageOf('12345 67890 '.repeat(50)), undefined)
  assert.equal(languageOf(TEXTS.de!.slice(0, 100), TEXTS.fr!.slice(0, 100)), undefined)
})

test('the pages with most text decide', () => {
  assert.equal(languageOf(TEXTS.en!, TEXTS.ja!, TEXTS.ja!), 'ja')
})

test('a language that comes late is noticed', () => {
  const of = (code: string, count: number) => Array.from({ length: count }, () => TEXTS[code]!)
  assert.equal(languageOfAll([of('en', 20), of('de', 100)].flat()), 'de')
  assert.equal(languageOfAll([of('en', 150), of('de', 20)].flat()), 'en')
})

test('many texts of one language cost little more than a few', async () => {
  const cost = (count: number) =>
    leastCost(0, () => {
      for (let round = 0; round < 10; round++) {
        const votes = new LanguageVotes()
        for (let i = 0; i < count; i++) votes.add(TEXTS['en']!)
      }
    })
  await cost(12)
  const few = await cost(12)
  assert((await cost(96)) < 5 * few)
})

test('a long text costs no more than its beginning', () => {
  const votes = new LanguageVotes()
  for (const part of ['a', 'ab ', '`', '/', '字', 'a.b'])
    for (let i = 0; i < 10; i++) votes.add(part.repeat(1_000_000))
})
