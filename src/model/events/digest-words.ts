/** The words of the e-mail with unread notifications. `{names}` stand for values; names and titles are quotations. */
import type { PageLanguage } from '../../core/languages/page-languages.ts'
import type { Notification } from './notification.ts'

/** The texts of the e-mail in one language. */
export interface DigestWords {
  /** The subject, if there is one notification. */
  one: string
  /** The subject for others; `{count}` is `3` or `30+`. */
  several: string
  text: string
  /** After the last line, if not all notifications are named. */
  more: string
  deeds: Record<Notification['kind'], string>
  changeRequest: string
  withoutSubject: string
}

/** The texts by language. */
export const DIGEST_WORDS: Record<PageLanguage, DigestWords> = {
  en: {
    one: 'One new notification',
    several: '{count} new notifications',
    text: `Since the last e-mail:

{lines}

To stop these e-mails, change the setting in your profile: {settings}
`,
    more: 'There are more.',
    deeds: {
      'review-requested': '{actor} requested your review of {where}',
      mention: '{actor} mentioned you in {where}',
      comment: '{actor} commented on {where}',
      reply: '{actor} replied in {where}',
      review: '{actor} reviewed {where}',
      merge: '{actor} merged {where}',
      'sync-stopped': 'The syncs of {where} with its repository have stopped',
      'sync-resumed': 'The syncs of {where} with its repository work again',
    },
    changeRequest: 'change request {number} ({subject}) of {space}',
    withoutSubject: 'without a subject',
  },
  zh: {
    one: '一条新通知',
    several: '{count} 条新通知',
    text: `自上一封邮件以来：

{lines}

如不想再收到这些邮件，请在个人资料中更改设置：{settings}
`,
    more: '还有更多通知。',
    deeds: {
      'review-requested': '{actor} 请你审阅{where}',
      mention: '{actor} 在{where}中提到了你',
      comment: '{actor} 评论了{where}',
      reply: '{actor} 在{where}中回复了',
      review: '{actor} 审阅了{where}',
      merge: '{actor} 合并了{where}',
      'sync-stopped': '{where}与其存储库的同步已停止',
      'sync-resumed': '{where}与其存储库的同步已恢复',
    },
    changeRequest: '{space}的变更请求 {number}（{subject}）',
    withoutSubject: '无主题',
  },
}
