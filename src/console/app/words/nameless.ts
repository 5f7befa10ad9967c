/** People without a name have one from the server, in English. */
import { t } from './words.ts'

const NAMES: Readonly<Record<string, () => string>> = {
  'Invited person': () => t('common.invited-person'),
  'New member': () => t('common.new-member'),
}

/**
 * An answer of the API with these names in the language of the interface. Users read their own name as it is, because the
 * form for it would store the other one.
 * @param path below `/v1`
 */
export const withNames = (answer: string, path: string): string =>
  path === '/user'
    ? answer
    : answer.replaceAll(/(?<="displayName":)"(Invited person|New member)"/g, (_all, name: string) =>
        JSON.stringify(NAMES[name]!()),
      )
