/** The Chinese words of e-mails. */
export const EMAILS_CHINESE = {
  invitation: {
    subject: '邀请你加入 {host}',
    text: `你已被加入 {host} 上的一个组织，该服务器用于托管文档。组织管理员将其命名为：

  {organization}

请在此设置密码；链接七天内有效，且只能使用一次：

{link}
`,
  },
  join: {
    subject: '邀请你加入 {host}',
    text: `你被邀请加入 {host} 上的一个组织，该服务器用于托管文档。组织管理员将其命名为：

  {organization}

请在此登录并加入；链接七天内有效，且只能使用一次：

{link}

如果你不想加入，无需任何操作。
`,
  },
  passwordReset: {
    subject: '设置新密码',
    text: `有人（很可能是你）为此地址请求了新密码。

请在此设置；链接一小时内有效，且只能使用一次：

{link}

如果不是你本人，无需任何操作：你的密码没有变化。
`,
  },
  syncStopped: {
    subject: '{host} 上一个空间的同步已停止',
    text: `服务器不再使此空间与其 Git 存储库保持一致：

  {space}

同步页面会显示原因以及可以采取的操作：

{link}

同步恢复后，你会再收到一封邮件。
`,
  },
  syncResumed: {
    subject: '{host} 上一个空间的同步已恢复',
    text: `服务器又使此空间与其 Git 存储库保持一致：

  {space}

{link}
`,
  },
}
