import { greatest } from '../../data/lists.ts'
import type { LinkTarget } from './renderer.ts'

/** Words of links that say nothing about their targets, in the languages of the interface. */
const VAGUE = new Set(
  [
    'click here, click this, go, here, information, learn more, link, more, more info, more information, read more, right here, see more, start, this, this link',
    'hier, hier klicken, klicken sie hier, mehr, mehr erfahren, mehr lesen, weiterlesen, weitere informationen',
    'ici, cliquez ici, en savoir plus, lire la suite, plus, plus d’informations, voir plus',
    'aquí, haz clic aquí, haga clic aquí, leer más, más, más información, saber más, ver más',
    'aqui, clique aqui, leia mais, mais, mais informações, saiba mais, ver mais',
    'klik hier, lees meer, lees verder, meer, meer informatie, meer lezen',
    'her, klikk her, les mer, mer, mer informasjon',
    'здесь, тут, подробнее, узнать больше, читать далее, нажмите здесь',
    '这里, 此处, 点击这里, 点击此处, 更多, 了解更多, 查看更多, 阅读更多, 更多信息, 詳細',
    'こちら, ここ, ここをクリック, こちらをクリック, もっと見る, 続きを読む, 詳しくはこちら, 詳細はこちら',
    'هنا, اضغط هنا, انقر هنا, اقرأ المزيد, المزيد, معرفة المزيد',
    'כאן, לחצו כאן, לחץ כאן, למידע נוסף, קרא עוד, קראו עוד, עוד',
  ].flatMap((words) => words.split(', ')),
)
const LONGEST = greatest([...VAGUE].map(({ length }) => length))
const AROUND = /^[\s.…:,;!→»›>]+|[\s.…:,;!→»›>]+$/g

/**
 * Names the target of a link if its words do not: "here" and "read more" mean nothing to readers who go from link to
 * link with a screen reader.
 * @returns the title of the page, or the host of another site; undefined if the words are enough, or nothing is known
 */
export function meantByVague(words: string, target: LinkTarget): string | undefined {
  if (words.length > LONGEST + 4) return undefined
  if (!VAGUE.has(words.replace(AROUND, '').replaceAll("'", '’').toLowerCase())) return undefined
  const { title, href } = target
  if (title !== undefined) return title
  return href !== undefined && URL.canParse(href) ? new URL(href).host || undefined : undefined
}
