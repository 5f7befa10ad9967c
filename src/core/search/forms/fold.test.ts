import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { holds } from '../../../../test/property.ts'
import { fold, foldAt, type OffsetShifts } from './fold.ts'

test('case, width and accents make no difference, and marks of other scripts stay', () => {
  for (const [written, folded] of [
    ['Ünïcode', 'unicode'],
    ['ＡＢＣ', 'abc'],
    ['Ёлка', 'елка'],
    ['ガ', 'ガ'],
    ['カ\u3099', 'ガ'],
    ['ガイド', 'ガイド'],
    ['검색', '검색'],
    ['\u1100\u1161', '가'],
    ['कि', 'कि'],
    ['น้ำ', fold('น้ำ')],
  ] as const)
    assert.equal(fold(written), folded, written)
})

test('the spellings of one word fold to one text', () => {
  for (const spellings of [
    ['ışık', 'IŞIK', 'isik'],
    ['İzmir', 'izmir', 'IZMIR'],
    ['Łódź', 'lodz'],
    ['Đường', 'duong'],
    ['Straße', 'STRASSE', 'strasse'],
    ['Øre', 'ore'],
    ['Əli', 'eli'],
    ['إعدادات', 'اعدادات', 'أعدادات', 'إعـدادات'],
    ['مكتبة', 'مكتبه'],
    ['مُسْتَخْدِم', 'مستخدم'],
    ['کتاب', 'كتاب'],
    ['می\u200cخواهم', 'میخواهم'],
    ['שָׁלוֹם', 'שלום'],
    ['צה״ל', 'צהל'],
    ['サーバー', 'サーバ', 'ｻｰﾊﾞｰ'],
    ['ユーザー・ガイド', 'ユーザーガイド'],
    ['हिन्दी', 'हिंदी', 'हिँदी'],
    ['क़लम', 'कलम'],
    ['१२', '12', '١٢', '１２'],
    ['λόγος', 'ΛΟΓΟΣ'],
  ])
    assert.equal(new Set(spellings.map(fold)).size, 1, spellings.map(fold).join(' '))
  for (const [one, other] of [
    ['ビル', 'ビール'],
    ['キー', 'キ'],
    ['か', 'が'],
  ] as const)
    assert.notEqual(fold(one), fold(other))
})

test('every letter that Unicode writes in another way is folded', () => {
  for (let code = 0x80; code < 0x1_00_00; code++) {
    const letter = String.fromCharCode(code)
    if (!/[\p{L}\p{N}]/u.test(letter)) continue
    const other = letter
      .normalize('NFKC')
      .toLowerCase()
      .normalize('NFD')
      .replace(/[\u0300-\u036f]/g, '')
      .normalize('NFC')
    if (other !== letter) assert.notEqual(fold(letter), letter, `U+${code.toString(16)}`)
  }
})

test('folding a folded text changes nothing, and offsets lead to what was written', () => {
  const piece = fc.constantFrom(
    ...'aBİıßé中サーバガ・مन्दـ1１१ ﬁｻｰﾊﾞ･\u00ad\u200d',
    'e\u0301',
    'ｻﾞ',
    'مُ',
    '\u1100\u1161',
    'ーー',
  )
  holds(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('')
      const { places, shifts }: OffsetShifts = { places: [], shifts: [] }
      const folded = foldAt(text, 0, { places, shifts })
      assert.equal(folded, fold(text))
      assert.equal(fold(folded), folded)
      assert.equal(folded.length + (shifts.at(-1) ?? 0), text.length)
      assert.deepEqual(
        places,
        places.toSorted((one, other) => one - other),
      )
      for (const { 0: letter, index } of folded.matchAll(/[ab中]/g)) {
        const shift = shifts[places.findLastIndex((place) => place <= index)] ?? 0
        assert.equal(fold(text.charAt(index + shift)), letter, `${index} of ${folded}`)
      }
    }),
    {
      examples: ['é・a', 'ｻﾊﾞー', 'サ\u00adバー', 'サ・バー', 'サバ・ー', 'サバー・ー', 'न्\u200dद'].map(
        (text) => [[text]],
      ),
    },
  )
})
