import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { contentTypeOf, hasFileExtension } from './content-type.ts'
import { imageSize } from './dimensions.ts'
import { holds } from '../../../test/property.ts'
import { cpuTime } from '../../../test/cpu.ts'
import { sizeOf } from '../../../test/effort.ts'

const png = (width: number, height: number) => {
  const bytes = Buffer.from('89504e470d0a1a0a0000000d49484452000000000000000008060000000000000000', 'hex')
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes
}
const gif = Buffer.from('474946383961' + '2c010a00' + 'f00000', 'hex')
const webp = Buffer.from(
  '52494646' + '1a000000' + '57454250' + '56503858' + '0a000000' + '00000000' + '2b0100' + 'c70000',
  'hex',
)
const bmp = Buffer.alloc(30)
bmp.write('BM')
bmp.writeUInt32LE(20, 18)
bmp.writeInt32LE(10, 22)

/** A JPEG of 300 by 200 with the EXIF orientation that cameras write. */
const jpeg = (orientation: number) => {
  const tiff = Buffer.from('4d4d002a000000080001011200030000000100000000000000000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  const exif = Buffer.concat([Buffer.from('457869660000', 'hex'), tiff])
  const length = Buffer.alloc(2)
  length.writeUInt16BE(exif.length + 2)
  const frame = Buffer.from('ffc0001108' + '00c8' + '012c' + '03012200021101031101', 'hex')
  return Buffer.concat([Buffer.from('ffd8ffe1', 'hex'), length, exif, frame, Buffer.from('ffd9', 'hex')])
}

test('images have the size that they are shown with', () => {
  assert.deepEqual(imageSize(png(640, 480)), { width: 640, height: 480 })
  assert.deepEqual(imageSize(gif), { width: 300, height: 10 })
  assert.deepEqual(imageSize(webp), { width: 300, height: 200 })
  assert.deepEqual(imageSize(bmp), { width: 20, height: 10 })
  assert.deepEqual(imageSize(jpeg(1)), { width: 300, height: 200 })
  assert.deepEqual(imageSize(jpeg(6)), { width: 200, height: 300 }, 'turned by a quarter')
  assert.deepEqual(
    imageSize(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="24" height="12.4"/>')),
    { width: 24, height: 12 },
  )
  assert.deepEqual(imageSize(Buffer.from('<?xml version="1.0"?><svg viewBox="0 0 100 50"></svg>')), {
    width: 100,
    height: 50,
  })
  const drawing = `<!-- x --><svg content="${'&lt;'.repeat(10_000)}" width='241px' data-a height="61px"><g/></svg>`
  assert.deepEqual(imageSize(Buffer.from(drawing)), { width: 241, height: 61 }, 'with its source')
})

test('what is no image, or says a size that none has, has none', () => {
  const none = [
    Buffer.alloc(0),
    Buffer.from('text'),
    png(0, 10),
    png(0xffffffff, 1),
    Buffer.from('<svg/>'),
    gif.subarray(0, 7),
  ]

  for (const bytes of none) assert.equal(imageSize(bytes), undefined)
})

test('whatever bytes come, the answer comes and comes soon', () => {
  const heads = [
    png(1, 1),
    gif,
    webp,
    bmp,
    jpeg(1),
    Buffer.from('<svg '),
    Buffer.from('II*\0'),
    Buffer.from('\0\0\0\x0cjP  '),
    Buffer.from('\0\0\0\x18ftypavif'),
    Buffer.from('icns'),
    Buffer.from('8BPS'),
  ]
  holds(
    fc.property(
      fc.constantFrom(...heads),
      fc.uint8Array({ maxLength: 300 }),
      fc.nat(40),
      (head, tail, cut) => {
        const start = cpuTime()
        imageSize(Buffer.concat([head.subarray(0, Math.max(4, head.length - cut)), tail]))
        assert.ok(cpuTime() - start < 5000)
      },
    ),
    { cases: 3000 },
  )
  for (const filler of ['\0', '<', ' ', '<svg ', 'a="', '\xff']) {
    for (const head of heads) {
      const start = cpuTime()
      imageSize(Buffer.concat([head, Buffer.alloc(sizeOf(2_000_000), filler, 'latin1')]))
      assert.ok(cpuTime() - start < 5000, JSON.stringify([head.toString('latin1').slice(0, 8), filler]))
    }
  }
})

test('names have content types, and none that a browser would run', () => {
  assert.equal(contentTypeOf('a/b.PNG'), 'image/png')
  assert.equal(contentTypeOf('a (1).svg'), 'image/svg+xml')
  assert.equal(contentTypeOf('a.tar.gz'), 'application/gzip')
  for (const name of ['a', '.png', 'a.', 'a.exe', 'a.constructor', 'a.__proto__', 'a.swf', 'a.hta']) {
    assert.equal(contentTypeOf(name), 'application/octet-stream', name)
    assert.equal(hasFileExtension(name), false, name)
  }
  for (const name of ['a.html', 'a.htm', 'a.xhtml', 'a.js', 'a.mjs', 'a.css', 'a.xml', 'a.xsl', 'a.HTML']) {
    assert.equal(contentTypeOf(name), 'text/plain; charset=utf-8', name)
  }
})
