import type { Space } from '../api/types.ts'
import { t } from '../words/words.ts'

/** The screens of a space about the whole of it. */
export function spaceScreens({ permissions }: Space): [path: string, title: string][] {
  const all: [string, string][] = [
    ['comments', t('common.comments')],
    ['files', t('common.files')],
    ['reusable', t('block.reusable-content')],
    ['variables', t('common.variables')],
    ['redirects', t('common.redirects')],
    ['links', t('common.links')],
    ['history', t('common.history')],
  ]
  if (permissions.triggerGitSync) all.push(['sync', t('common.sync')])
  if (permissions.admin) all.push(['share', t('common.share')], ['settings', t('common.settings')])
  return all
}
