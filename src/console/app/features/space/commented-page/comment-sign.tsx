/** The sign of the buttons that comment on a part of a page. */
export function CommentSign() {
  return (
    <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d="M2.5 3h11v7.5h-6L4.5 13v-2.5h-2z" />
    </svg>
  )
}
