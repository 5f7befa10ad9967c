/** Reactions to a comment or reply: what others felt, and the caller's own with one press. */
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components'
import { emojiText } from '../ui/emoji-code.ts'
import { useChange } from '../api/api.ts'
import { Refusal } from '../ui/parts.tsx'
import type { PlainId } from '../words/message-ids.ts'
import { t } from '../words/words.ts'
import type { Posted } from '../api/review-types.ts'
import type { PostedPath } from '../api/paths.ts'

/** The emoji on offer; others that a program has set are shown too. */
const OFFERED: readonly (readonly [code: string, name: PlainId])[] = [
  ['1f44d', 'discussion.thumbs-up'],
  ['1f44e', 'discussion.thumbs-down'],
  ['1f604', 'discussion.smile'],
  ['1f389', 'discussion.hooray'],
  ['2764-fe0f', 'discussion.heart'],
  ['1f440', 'discussion.eyes'],
]

/** @param path of the comment or reply below `/v1` @param touched the path of what shows it */
export function Reactions({
  path,
  touched,
  posted: { reactions, permissions },
  me,
}: {
  path: PostedPath
  touched: string
  posted: Posted
  me: string
}) {
  const react = useChange(`PUT ${path}`, [touched])
  const isMine = (code: string) =>
    reactions.some(({ emoji, users }) => emoji === code && users.some(({ user }) => user.id === me))
  const toggle = (code: string) =>
    react.mutate(isMine(code) ? { removedReactions: [code] } : { addedReactions: [code] })
  return (
    <>
      {reactions.map(({ emoji, count, users }) => {
        const names = users.map(({ user }) => user.displayName).join(', ')
        return (
          <button
            key={emoji}
            type="button"
            className="small reaction"
            aria-pressed={isMine(emoji)}
            disabled={!permissions.reply || react.isPending}
            title={names}
            onClick={() => toggle(emoji)}
          >
            {emojiText(emoji)} {count}
            <span className="unseen"> {names}</span>
          </button>
        )
      })}
      {permissions.reply && (
        <MenuTrigger>
          <Button className="small quiet" aria-label={t('discussion.react')}>
            <span aria-hidden="true">☺+</span>
          </Button>
          <Popover>
            <Menu
              className="menu"
              aria-label={t('discussion.react')}
              onAction={(code) => toggle(String(code))}
            >
              {OFFERED.map(([code, name]) => (
                <MenuItem key={code} id={code} className="menu-item" textValue={t(name)}>
                  <span aria-hidden="true">{emojiText(code)}</span> {t(name)}
                </MenuItem>
              ))}
            </Menu>
          </Popover>
        </MenuTrigger>
      )}
      <Refusal error={react.error} />
    </>
  )
}
