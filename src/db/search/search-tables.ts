import type { Generated } from 'kysely'
import type { Flag, JsonText } from '../columns.ts'

/** The tables of search. The forms of words are in `searchTokens`, which `token-index.ts` reads and writes. */
export interface SearchTables {
  /** The index of the primary content of a space. While a new one is made, there are two. */
  searchIndex: {
    number: Generated<number>
    spaceId: string
    /** The version of the program's index; another one is made again. */
    version: number
    /** Whether all content is indexed, so that search uses it. */
    isReady: Flag
    /** The indexed content: the roots of the maps of pages and of reusable contents, with a space between them. */
    pages: string | null
    /** The highest id of its entries. */
    lastEntry: number
  }
  /** A page in an index, or a part of a page that stands under conditions. */
  searchEntry: {
    id: Generated<number>
    number: number
    pageId: string
    /** The conditions of a part, as a JSON array; null for a page. */
    conditions: JsonText | null
    /** The hash of what is indexed of a page; null for parts. */
    content: string | null
    /** The sections of a page, with those of its parts; null for parts. */
    sections: JsonText | null
    /** The code of the language of the page; null if an earlier version of the program made the entry. */
    language: string | null
  }
  /** The vocabulary of an index. It can have words that are gone. */
  searchWord: { number: number; word: string }
  /** The specifications that the computed pages of an index name, with the state of the pages that were indexed of them. */
  searchSpec: { number: number; slug: string; state: string }
  /** The spaces whose newest revision is not indexed. */
  searchTask: { spaceId: string; revisionId: string }
}
