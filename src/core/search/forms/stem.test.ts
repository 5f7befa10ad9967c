import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../../../test/property.ts'
import { LANGUAGES } from '../../languages/content-languages.ts'
import { fold } from './fold.ts'
import { stemsOf } from './stem.ts'

const shared = (language: string, one: string, other: string) => {
  const [first, second] = [one, other].map((word) => new Set([fold(word), ...stemsOf(word, language)]))
  return [...first!].some((stem) => second!.has(stem))
}

test('the forms of an English word have one stem', () => {
  for (const forms of [
    'install installs installed installing',
    'configure configured configuring configures configuration configurations',
    'connect connected connecting connection connections',
    'relate related relating relates',
    'plugin plugins',
    'query queries',
    'authenticate authentication authenticated',
    'run runs running',
  ]) {
    const stems = new Set(forms.split(' ').flatMap((word) => stemsOf(word, 'en')))
    assert.equal(stems.size, 1, `${forms}: ${[...stems].join(' ')}`)
  }
})

test('the forms of a word of any language share a stem', () => {
  for (const [language, forms] of [
    ['ar', 'مكتبة المكتبة والمكتبة مكتبات للمكتبات'],
    ['ar', 'إعداد إعدادات الإعدادات والاعدادات'],
    ['ar', 'مستخدم المستخدم المستخدمين مستخدمون'],
    ['ar', 'وثيقة الوثيقة'],
    ['bg', 'настройка настройки настройките'],
    ['cs', 'nastavení nastaveních nastavením'],
    ['da', 'indstilling indstillinger indstillingerne'],
    ['de', 'Einstellung Einstellungen'],
    ['de', 'Haus Häuser'],
    ['el', 'σελίδα σελίδες'],
    ['es', 'configuración configuraciones configurar'],
    ['fi', 'käyttäjä käyttäjät käyttäjän'],
    ['fr', 'configurer configuré configuration'],
    ['he', 'ספרייה הספרייה בספרייה ספריות'],
    ['he', 'מסמך המסמך והמסמך מסמכים'],
    ['hi', 'किताब किताबें किताबों'],
    ['hu', 'beállítás beállítások beállításokat'],
    ['id', 'pengguna pengguna penggunanya'],
    ['it', 'impostazione impostazioni'],
    ['nl', 'instelling instellingen'],
    ['no', 'innstilling innstillinger innstillingene'],
    ['pl', 'użytkownik użytkownika użytkownikami użytkowników'],
    ['pt', 'configuração configurações'],
    ['ro', 'setare setări setările'],
    ['ru', 'настройка настройки настройками'],
    ['sk', 'nastavenie nastavenia nastavení'],
    ['sv', 'inställning inställningar inställningarna'],
    ['tr', 'ayar ayarlar ayarları ayarlarını'],
    ['uk', 'налаштування налаштуваннями налаштувань'],
  ] as const) {
    const [first = '', ...others] = forms.split(' ').map((word) => word.toLowerCase())
    for (const other of others)
      assert(
        shared(language, first, other),
        `${language}: ${first} ${stemsOf(first, language).join()} ${other} ${stemsOf(other, language).join()}`,
      )
  }
})

test('different words keep different stems, and short words, names and other scripts stay', () => {
  assert.equal(
    new Set(['general', 'parse', 'pass', 'user', 'space'].flatMap((word) => stemsOf(word, 'en'))).size,
    5,
  )
  for (const word of ['as', 's3', 'k8s', 'utf8', '数据', '1.2.3', 'в', 'من'])
    assert.deepEqual(stemsOf(word, 'en'), [word])
  assert(!shared('ar', 'وزير', 'وصول'))
  assert(!shared('he', 'מסמך', 'ספר'))
})

test('the script of a word decides before the language of its page', () => {
  assert.deepEqual(stemsOf('مكتبات', 'de'), stemsOf('مكتبات', 'ar'))
  assert.deepEqual(stemsOf('настройками', 'de'), stemsOf('настройками', 'ru'))
  assert.deepEqual(stemsOf('installing', 'ru'), ['instal'])
})

test('any word has a stem in any language', () => {
  const letter = fc.constantFrom(...'aeiouñçãéıßøłžůyrnstабвиетйкопыхііїةالونيهוהכשמים가을를अकीतेाαεος-’_1 ')
  const word = fc.oneof(
    fc.string({ unit: letter, minLength: 1, maxLength: 12 }),
    fc.string({ unit: 'binary', minLength: 1 }),
  )
  holds(
    fc.property(word, fc.constantFrom(...LANGUAGES), (one, language) => {
      const lower = one.toLowerCase()
      const stems = stemsOf(lower, language)
      assert(stems.length > 0)
      assert(stems.every((stem) => stem !== '' || fold(lower) === ''))
    }),
    { cases: 3_000 },
  )
})

test('no word of the judged pages has an empty stem in any language', () => {
  const folder = resolve(import.meta.dirname, '../../../../test/search/languages')
  const files = readdirSync(folder)
  const words = files.flatMap(
    (file) =>
      readFileSync(join(folder, file), 'utf8')
        .toLowerCase()
        .match(/[\p{L}\p{M}]+/gu) ?? [],
  )
  for (const language of LANGUAGES)
    for (const word of new Set(words))
      assert(stemsOf(word, language).every((stem) => stem !== '' || fold(word) === ''))
})
