// `npm run docs` writes this file from the OpenAPI document of the service.
export interface paths {
  "/v1/flows/{publicId}/startChat": {
    /**
     * Start a session on a published flow
     * @description Runs the flow until it waits for the visitor or ends, and returns what to show. Browsers are let in by the `security.allowedOrigins` of the flow.
     */
    post: operations["startChat"];
  };
  "/v1/flows/{flowId}/preview/startChat": {
    /**
     * Start a session on a definition sent along
     * @description As the public start, for a draft: it may begin anywhere, may take over a preview session, and keeps no result. Needs the bearer token where the service has one.
     */
    post: operations["startPreviewChat"];
  };
  "/v1/flows/validate": {
    /**
     * Check a flow, and run nothing of it
     * @description Answers 200 whatever is wrong with the flow: what a start would refuse is a finding. Needs the bearer token of previews where the service has one.
     */
    post: operations["validateFlow"];
  };
  "/v1/flows/test": {
    /**
     * Hold the conversations of tests with a flow
     * @description In a world of mocks: nothing is sent, nothing is kept. Needs the bearer token of previews where the service has one.
     */
    post: operations["testFlow"];
  };
  "/v1/flows/replay": {
    /**
     * Run a recorded conversation again
     * @description With what the world answered then: nothing is sent, nothing is kept. Names the first turn and block where the conversation is no longer the same, or makes tests of it. Needs the bearer token of previews where the service has one.
     */
    post: operations["replayRecording"];
  };
  "/v2/sessions/{sessionId}/clientLogs": {
    /**
     * Report what went wrong in the client
     * @description Adds logs to the result of a live session that has not ended, behind those of the flow. Previews have no result to add to.
     */
    post: operations["saveClientLogs"];
  };
  "/v1/sessions/{sessionId}/continueChat": {
    /**
     * Go on with a session
     * @description Hands over what the visitor says, or what an action was asked to send back, and runs the flow until it waits again or ends. Requests of one session are answered one at a time, in the order they come in. A session that has ended is not found any more.
     */
    post: operations["continueChat"];
  };
  "/v1/sessions/{sessionId}/events": {
    /**
     * Follow what happens to a session
     * @description Server-sent events for a client that waits: `webhook` when another system has called the listener where the session waits, `updated` when a turn was taken, by whomever. Ends with the session.
     */
    get: operations["followSession"];
  };
  "/v1/sessions/{sessionId}": {
    /**
     * Look where a session is
     * @description For a client that was reloaded: the waiting input with the present values, the progress and the look of the flow. Waits for no other request, runs no block and changes nothing. A session that has ended is not found any more.
     */
    get: operations["getSession"];
  };
  "/v1/sessions/{sessionId}/trace": {
    /**
     * Read what the turns of a preview did
     * @description The last turns of a preview that was started with `trace`, block by block, also when it has ended. Asked for `text/event-stream`, each turn as an event, those to come too.
     */
    get: operations["readTrace"];
  };
  "/v1/sessions/{sessionId}/recording": {
    /**
     * Read the recording of a preview
     * @description What it takes to run a preview again that was started with `record`, also when it has ended: `flow-runtime replay` takes it as a file.
     */
    get: operations["readRecording"];
  };
  "/v2/sessions/{sessionId}/streamMessage": {
    /**
     * Read the answer of a language model while it comes in
     * @description For a session that was told to stream by a `stream` action. Once the answer is complete, the client sends it back as the message of a continue. One stream a session at a time.
     */
    post: operations["streamMessage"];
  };
  "/v3/generate-upload-url": {
    /**
     * Get an address to upload a file to
     * @description For the input that the session waits at: a file input, or a text input that takes attachments or recordings. The reply then says where the file lies.
     */
    post: operations["generateUploadUrl"];
  };
  "/uploads/{token}": {
    /**
     * Upload a file
     * @description Takes the bytes of one file, once; the content type does not matter. The address comes from `generateUploadUrl`. It may take as long as 16 KiB come in each minute.
     */
    put: operations["putUpload"];
  };
  "/v1/webhooks/stripe/{account}": {
    /**
     * Tell that a payment was made
     * @description For Stripe to call, with the events of an account. Each needs its `Stripe-Signature`, not older than five minutes. The answer of the payment input then stands in the result, though the visitor has closed the tab. An event may come again, and changes nothing then.
     */
    post: operations["confirmPayment"];
  };
  "/v1/sessions/{sessionId}/updateFlow": {
    /**
     * Move a session to the published version of its flow
     * @description A session stays on the version that it started with, until this is called. Everything that was said and written down stays. A session that waits, or is to come back, at a block that the published version lacks is left as it is. Needs the admin token.
     */
    post: operations["updateFlow"];
  };
  "/v1/flows/{flowId}/blocks/{blockId}/results/{resultId}/executeWebhook": {
    /**
     * Tell a waiting conversation what happened elsewhere
     * @description Keeps an object with the live session that waits at this webhook listener. The next continue that says nothing hands it to the block. One that was not fetched yet is replaced. Needs the admin token.
     */
    post: operations["executeWebhook"];
  };
  "/v1/flows/{publicId}/results": {
    /**
     * Read the results of a flow
     * @description Page by page, the latest created first. Results that come or go meanwhile move no others to another page.
     */
    get: operations["listResults"];
    /**
     * Erase all results of a flow
     * @description With the sessions that hold the same answers and the files that were uploaded into them. For good.
     */
    delete: operations["deleteResults"];
  };
  "/v1/flows/{publicId}/results/{resultId}": {
    /** Read one result */
    get: operations["getResult"];
    /**
     * Erase one result
     * @description With the session that holds the same answers and the files that were uploaded into it. For good.
     */
    delete: operations["deleteResult"];
  };
  "/v1/flows/{publicId}/results/{resultId}/recording": {
    /**
     * Read the recording of a live session
     * @description What it takes to run the session of a result again, where `RECORD_LIVE` had it recorded; it goes with its session, and is erased with the result.
     */
    get: operations["readResultRecording"];
  };
  "/v1/flows": {
    /**
     * See which flows are published, and what is wrong with the others
     * @description Every flow file as the service found it at its last look at the folder, and every flow that was published over HTTP.
     */
    get: operations["listFlows"];
  };
  "/v1/flows/{publicId}/versions": {
    /** See the versions of a published flow */
    get: operations["listFlowVersions"];
  };
  "/v1/flows/{publicId}/rollback": {
    /**
     * Serve a former version again
     * @description Conversations that are under way stay on theirs. The next publication gets a number of its own.
     */
    post: operations["rollbackFlow"];
  };
  "/v1/flows/{publicId}/validate": {
    /**
     * Check a published flow
     * @description As the check of a draft. Needs the admin token.
     */
    post: operations["validatePublishedFlow"];
  };
  "/v1/audit": {
    /** See who changed which flow, and when */
    get: operations["readAudit"];
  };
  "/v1/flows/{publicId}": {
    /** Read a published flow with its definition */
    get: operations["getFlow"];
    /**
     * Publish a definition
     * @description As the next version of the flow; conversations that are under way stay on theirs. One in which a check finds errors is refused without `force`. What is served already makes no version. Needs a database.
     */
    put: operations["publishFlow"];
    /**
     * Withdraw a flow with all its versions
     * @description Conversations that are under way go on, and results stay.
     */
    delete: operations["deleteFlow"];
    /** Close or archive a flow, or open it again */
    patch: operations["changeFlow"];
  };
  "/health": {
    /** Whether the process is alive */
    get: operations["health"];
  };
  "/ready": {
    /** Whether requests can be served */
    get: operations["ready"];
  };
  "/uploads/{owner}/{name}": {
    /**
     * Read an uploaded file
     * @description Pictures and recordings can be shown where they lie; browsers save everything else.
     */
    get: operations["getUpload"];
  };
  "/uploads/private/{owner}/{name}": {
    /**
     * Read a private uploaded file
     * @description Pictures and recordings can be shown where they lie; browsers save everything else.
     */
    get: operations["getPrivateUpload"];
  };
  "/metrics": {
    /**
     * What was counted since the start
     * @description In the text format of Prometheus. The bearer token is needed where one is set.
     */
    get: operations["metrics"];
  };
}

export type webhooks = Record<string, never>;

export interface components {
  schemas: {
    /** @description What a visitor says: an object, or bare text, which equals {type: "text", text}. */
    UserMessage: string | components["schemas"]["TextMessageObject"] | components["schemas"]["AudioMessageObject"] | components["schemas"]["CommandMessageObject"];
    TextMessageObject: {
      /** @constant */
      type: "text";
      text: string;
      attachedFileUrls?: string[];
      metadata?: {
        /** @description The id of the chosen item, which tells items of one label apart */
        replyId?: string;
      };
    };
    AudioMessageObject: {
      /** @constant */
      type: "audio";
      /** @description Where the voice clip is */
      url: string;
    };
    CommandMessageObject: {
      /** @constant */
      type: "command";
      /** @description The command of the event to trigger */
      command: string;
    };
    StartChatResponse: {
      /** @description Opaque identifier */
      sessionId: string;
      /** @description Opaque identifier */
      resultId: string;
      flow: {
        /** @description Opaque identifier */
        id: string;
        /** @description The version of the definition that runs */
        version: string;
        theme: components["schemas"]["Theme"];
        settings: components["schemas"]["Settings"];
        /** @description ISO 8601 moment */
        publishedAt?: string;
      };
      /** @description The accepted reply as it was stored, when that differs from what was sent */
      lastMessageNewFormat?: string;
      messages: components["schemas"]["Message"][];
      input?: components["schemas"]["Input"];
      clientSideActions?: components["schemas"]["ClientSideAction"][];
      logs?: components["schemas"]["Log"][];
      /** @description The parts of the theme that start with a placeholder, with the present values. */
      dynamicTheme?: {
        hostAvatarUrl?: string;
        guestAvatarUrl?: string;
        backgroundUrl?: string;
      };
      /** @description Per cent of the flow, not rounded; may go down */
      progress?: number;
    };
    /** @description How a flow looks. Every field is optional and no default is filled in: defaults are the client’s. */
    Theme: {
      general?: {
        /** @description A family name, or an object telling where the font comes from. Default Open Sans from Google */
        font?: string | ({
          /** @enum {string} */
          type: "Google" | "Custom";
          family?: string;
          /** @description Custom fonts: the rules that load it */
          css?: string;
          /** @description Custom fonts: the older way to say where it is */
          url?: string;
        });
        background?: {
          /**
           * @description Default Color
           * @enum {string}
           */
          type?: "Color" | "Image" | "None";
          /** @description A colour or the address of an image. Default #FFFFFF, in version 6.1 #F8F8F8 */
          content?: string;
        };
        progressBar?: {
          /** @description Whether responses tell the progress. Default false */
          isEnabled?: boolean;
          /** @description A CSS colour. Default #e0edff, in version 6.1 #ff5924 */
          color?: string;
          /** @description A CSS colour. Default #f1f1f1, in version 6.1 #8d8d8d */
          backgroundColor?: string;
          /**
           * @description Default Top
           * @enum {string}
           */
          placement?: "Top" | "Bottom";
          /** @description Pixels. Default 4 */
          thickness?: number;
          /**
           * @description On the window (fixed) or inside the chat (absolute). Default absolute
           * @enum {string}
           */
          position?: "fixed" | "absolute";
        };
      };
      chat?: {
        container?: {
          /** @description A CSS colour. Default transparent */
          backgroundColor?: string;
          /** @description A CSS colour. Default #202020 or #eeeeee, by the lightness behind it */
          color?: string;
          /** @description Pixels. Default 0 */
          blur?: number;
          /** @description Default 1 */
          opacity?: number;
          /**
           * @description Default none
           * @enum {string}
           */
          shadow?: "none" | "sm" | "md" | "lg" | "xl" | "2xl";
          border?: {
            /** @description Pixels. Default 0; in version 6.1 it is 1 on bubbles, buttons and inputs */
            thickness?: number;
            /** @description A CSS colour. In version 6.1 the default differs by element */
            color?: string;
            /**
             * @description 0, 6 or 20 pixels, or those of customRoundeness. Default medium
             * @enum {string}
             */
            roundeness?: "none" | "medium" | "large" | "custom";
            /** @description Pixels. Default 6 */
            customRoundeness?: number;
            /** @description Default 1 */
            opacity?: number;
          };
          /** @description A CSS length. Default 800px */
          maxWidth?: string;
          /** @description A CSS length. Default 100% */
          maxHeight?: string;
        };
        hostAvatar?: {
          /** @description Default true */
          isEnabled?: boolean;
          /** @description The address of a picture, or an emoji */
          url?: string;
        };
        guestAvatar?: {
          /** @description Default false */
          isEnabled?: boolean;
          /** @description The address of a picture, or an emoji */
          url?: string;
        };
        hostBubbles?: {
          /** @description A CSS colour. Default #F7F8FF, in version 6.1 #ffffff */
          backgroundColor?: string;
          /** @description A CSS colour. Default #202020 */
          color?: string;
          /** @description Pixels. Default 0 */
          blur?: number;
          /** @description Default 1 */
          opacity?: number;
          /**
           * @description Default none
           * @enum {string}
           */
          shadow?: "none" | "sm" | "md" | "lg" | "xl" | "2xl";
          border?: {
            /** @description Pixels. Default 0; in version 6.1 it is 1 on bubbles, buttons and inputs */
            thickness?: number;
            /** @description A CSS colour. In version 6.1 the default differs by element */
            color?: string;
            /**
             * @description 0, 6 or 20 pixels, or those of customRoundeness. Default medium
             * @enum {string}
             */
            roundeness?: "none" | "medium" | "large" | "custom";
            /** @description Pixels. Default 6 */
            customRoundeness?: number;
            /** @description Default 1 */
            opacity?: number;
          };
        };
        guestBubbles?: {
          /** @description A CSS colour. Default #FF8E21, in version 6.1 #ff5924 */
          backgroundColor?: string;
          /** @description A CSS colour. Default #ffffff */
          color?: string;
          /** @description Pixels. Default 0 */
          blur?: number;
          /** @description Default 1 */
          opacity?: number;
          /**
           * @description Default none
           * @enum {string}
           */
          shadow?: "none" | "sm" | "md" | "lg" | "xl" | "2xl";
          border?: {
            /** @description Pixels. Default 0; in version 6.1 it is 1 on bubbles, buttons and inputs */
            thickness?: number;
            /** @description A CSS colour. In version 6.1 the default differs by element */
            color?: string;
            /**
             * @description 0, 6 or 20 pixels, or those of customRoundeness. Default medium
             * @enum {string}
             */
            roundeness?: "none" | "medium" | "large" | "custom";
            /** @description Pixels. Default 6 */
            customRoundeness?: number;
            /** @description Default 1 */
            opacity?: number;
          };
        };
        buttons?: {
          /** @description A CSS colour. Default #0042DA, in version 6.1 #ff5924 */
          backgroundColor?: string;
          /** @description A CSS colour. Default #ffffff */
          color?: string;
          /** @description Pixels. Default 0 */
          blur?: number;
          /** @description Default 1 */
          opacity?: number;
          /**
           * @description Default none
           * @enum {string}
           */
          shadow?: "none" | "sm" | "md" | "lg" | "xl" | "2xl";
          border?: {
            /** @description Pixels. Default 0; in version 6.1 it is 1 on bubbles, buttons and inputs */
            thickness?: number;
            /** @description A CSS colour. In version 6.1 the default differs by element */
            color?: string;
            /**
             * @description 0, 6 or 20 pixels, or those of customRoundeness. Default medium
             * @enum {string}
             */
            roundeness?: "none" | "medium" | "large" | "custom";
            /** @description Pixels. Default 6 */
            customRoundeness?: number;
            /** @description Default 1 */
            opacity?: number;
          };
        };
        inputs?: {
          /** @description A CSS colour. Default #FFFFFF */
          backgroundColor?: string;
          /** @description A CSS colour. Default #202020 */
          color?: string;
          /** @description Pixels. Default 0 */
          blur?: number;
          /** @description Default 1 */
          opacity?: number;
          /**
           * @description Default none, before version 6.1 md
           * @enum {string}
           */
          shadow?: "none" | "sm" | "md" | "lg" | "xl" | "2xl";
          border?: {
            /** @description Pixels. Default 0; in version 6.1 it is 1 on bubbles, buttons and inputs */
            thickness?: number;
            /** @description A CSS colour. In version 6.1 the default differs by element */
            color?: string;
            /**
             * @description 0, 6 or 20 pixels, or those of customRoundeness. Default medium
             * @enum {string}
             */
            roundeness?: "none" | "medium" | "large" | "custom";
            /** @description Pixels. Default 6 */
            customRoundeness?: number;
            /** @description Default 1 */
            opacity?: number;
          };
          /** @description A CSS colour. Default #9095A0 */
          placeholderColor?: string;
        };
        /**
         * @description The older way to round corners, for elements without a border
         * @enum {string}
         */
        roundness?: "none" | "medium" | "large";
        buttonsInput?: {
          /**
           * @description Default wrap
           * @enum {string}
           */
          layout?: "wrap" | "vertical";
        };
      };
      /** @description Style rules that the client adds */
      customCss?: string;
    };
    /** @description How a flow behaves. Every field is optional and no default is filled in. */
    Settings: {
      general?: {
        /** @description Whether the client shows its badge. Default false */
        isBrandingEnabled?: boolean;
        /** @description A leftover that nobody reads; typingEmulation.enabled counts. Default true */
        isTypingEmulationEnabled?: boolean;
        /** @description Whether the client puts prefilledValue into the field. Default false */
        isInputPrefillEnabled?: boolean;
        /** @description Whether the client removes the query string from the address. Default true */
        isHideQueryParamsEnabled?: boolean;
        /** @description The older opposite of rememberUser, read when rememberUser.isEnabled is absent. Default true */
        isNewResultOnRefreshEnabled?: boolean;
        rememberUser?: {
          /** @description Whether a returning visitor keeps the same result. Default: the opposite of isNewResultOnRefreshEnabled, else false */
          isEnabled?: boolean;
          /**
           * @description The browser storage in which the client remembers the visitor. Default session
           * @enum {string}
           */
          storage?: "session" | "local";
        };
        /** @description Texts of the service and of the client. An absent one has the default of whoever shows it. */
        systemMessages?: {
          /** @description Shown when a reply is refused. Default "Invalid message. Please, try again." */
          invalidMessage?: string;
          /** @description Error message of a closed flow. Default "This bot is now closed" */
          botClosed?: string;
          /** @description Used by the client. Default "Network Error" */
          networkErrorTitle?: string;
          /** @description Used by the client: a hint to check the connection */
          networkErrorMessage?: string;
          /** @description Used by the client. Default "Popup blocked" */
          popupBlockedTitle?: string;
          /** @description Used by the client: a hint that a new tab needs approval */
          popupBlockedDescription?: string;
          /** @description Used by the client. Default "Continue in new tab" */
          popupBlockedButtonLabel?: string;
          /** @description Used by the client. Default "An error occured while uploading the files" */
          fileUploadError?: string;
          /** @description Used by the client. Default "[[file]] is larger than [[limit]]MB" */
          fileUploadSizeError?: string;
          /** @description Used on WhatsApp. Default "Select" */
          whatsAppPictureChoiceSelectLabel?: string;
        };
      };
      /** @description How the client imitates typing. The service itself never waits for it. */
      typingEmulation?: {
        /** @description Default true */
        enabled?: boolean;
        /** @description Words per minute. Default 400 */
        speed?: number;
        /** @description The longest delay before one bubble, in seconds. Default 3 */
        maxDelay?: number;
        /** @description The pause before each following bubble, in seconds; decimals allowed. Default 0 */
        delayBetweenBubbles?: number;
        /** @description Whether the very first bubble shows at once. Default true */
        isDisabledOnFirstMessage?: boolean;
      };
      /** @description For the page on which a client shows the flow. */
      metadata?: {
        /** @description Default: the flow's name */
        title?: string;
        description?: string;
        imageUrl?: string;
        favIconUrl?: string;
        /** @description Markup that the client adds to the head of the page; placeholders are not replaced */
        customHeadCode?: string;
        /** @description Placeholders are not replaced */
        googleTagManagerId?: string;
        /** @description Whether search engines may list the page. Default false */
        allowIndexing?: boolean;
      };
      whatsApp?: {
        /** @description Whether an incoming WhatsApp message may start the flow. Default false */
        isEnabled?: boolean;
        startCondition?: {
          /**
           * @description Default AND
           * @enum {string}
           */
          logicalOperator?: "AND" | "OR";
          /** @description Tested against the text of the first message */
          comparisons?: ({
              id: string;
              /**
               * @description How the text of the first message is compared
               * @enum {string}
               */
              comparisonOperator?: "Equal to" | "Not equal" | "Contains" | "Does not contain" | "Greater than" | "Less than" | "Is set" | "Is empty" | "Starts with" | "Ends with" | "Matches regex" | "Does not match regex" | "Greater or equal to" | "Less or equal to";
              value?: string;
            })[];
        };
        /** @description Hours since the last message after which a session ends; decimals allowed. Default 4 */
        sessionExpiryTimeout?: number;
        /** @description Default: true when an address to forward to is given */
        isWebhookForwardingEnabled?: boolean;
        errorAndMarketingStatusWebhookForwardUrl?: string;
        webhookForwardingEventTypes?: ("all" | "errorStatuses" | "marketingStatuses")[];
      };
      publicShare?: {
        /** @description Whether the definition may be read by anyone in the editor. Default false */
        isEnabled?: boolean;
      };
      security?: {
        /** @description Origins that may start and continue the published flow, compared exactly; a slash at the end, capitals and a usual port do not count. Absent or empty: all */
        allowedOrigins?: string[];
      };
    };
    /** @description Something to show. Ids are not unique: a loop can show one block twice. */
    Message: components["schemas"]["TextMessage"] | components["schemas"]["ImageMessage"] | components["schemas"]["VideoMessage"] | components["schemas"]["AudioMessage"] | components["schemas"]["EmbedMessage"] | components["schemas"]["CustomEmbedMessage"];
    TextMessage: {
      /** @description Opaque identifier */
      id: string;
      /** @constant */
      type: "text";
      content: components["schemas"]["TextContent"];
    };
    TextContent: components["schemas"]["RichTextTextContent"] | components["schemas"]["MarkdownTextContent"];
    RichTextTextContent: {
      /** @constant */
      type: "richText";
      /** @description Leaves and elements, variables replaced */
      richText: unknown[];
    };
    MarkdownTextContent: {
      /** @constant */
      type: "markdown";
      /** @description CommonMark that is not escaped: render it with HTML disabled */
      markdown: string;
    };
    ImageMessage: {
      /** @description Opaque identifier */
      id: string;
      /** @constant */
      type: "image";
      content: {
        /** @description Address or `data:` URI of the picture */
        url?: string;
        clickLink?: {
          /** @description Where a click leads */
          url?: string;
          /** @description Alternative text of the picture; clients have one of their own */
          alt?: string;
        };
      };
    };
    VideoMessage: {
      /** @description Opaque identifier */
      id: string;
      /** @constant */
      type: "video";
      content: {
        /** @description For a provider that is recognised, only the recognised part: players are built from `type` and `id` */
        url?: string;
        /**
         * @description Told from the address when it is not empty
         * @enum {string}
         */
        type?: "url" | "youtube" | "vimeo" | "tiktok" | "gumlet";
        /** @description The provider's own id of the video */
        id?: string;
        aspectRatio?: string;
        /** @description CSS length; clients take 100% when absent */
        maxWidth?: string;
        /** @description Appended to the address of the player */
        queryParamsStr?: string;
        /** @description For `type` `url` only; clients take true when absent */
        areControlsDisplayed?: boolean;
        /** @description Clients take true when absent */
        isAutoplayEnabled?: boolean;
        /** @description Pixels, used without an `aspectRatio`; clients take 400 when absent */
        height?: number;
      };
    };
    AudioMessage: {
      /** @description Opaque identifier */
      id: string;
      /** @constant */
      type: "audio";
      content: {
        url?: string;
        /** @description Clients take true when absent */
        isAutoplayEnabled?: boolean;
      };
    };
    EmbedMessage: {
      /** @description Opaque identifier */
      id: string;
      /** @constant */
      type: "embed";
      content: {
        url?: string;
        /** @description Pixels; clients take 400 when absent */
        height?: number;
        waitForEvent?: {
          /** @description Whether the flow waits here until the page sends its event */
          isEnabled?: boolean;
          /** @description Name of the event */
          name?: string;
          /** @description Receives the data of the event */
          saveDataInVariableId?: string;
        };
      };
    };
    CustomEmbedMessage: {
      /** @description Opaque identifier */
      id: string;
      /** @constant */
      type: "custom-embed";
      content: {
        url?: string;
        initFunction: {
          args: {
            [key: string]: unknown;
          };
          content: string;
        };
        waitForEventFunction?: {
          args: {
            [key: string]: unknown;
          };
          content: string;
        };
      };
    };
    /** @description The one thing that the client is asked for. */
    Input: components["schemas"]["TextInput"] | components["schemas"]["NumberInput"] | components["schemas"]["EmailInput"] | components["schemas"]["UrlInput"] | components["schemas"]["PhoneNumberInput"] | components["schemas"]["DateInput"] | components["schemas"]["TimeInput"] | components["schemas"]["RatingInput"] | components["schemas"]["ChoiceInput"] | components["schemas"]["PictureChoiceInput"] | components["schemas"]["CardsInput"] | components["schemas"]["FileInput"] | components["schemas"]["PaymentInput"];
    TextInput: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "text input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description Shown while the field is empty */
          placeholder?: string;
          /** @description The client writes its own when there is none */
          button?: string;
        };
        /** @description A field of several lines */
        isLong?: boolean;
        /**
         * @description A hint for virtual keyboards; any text is accepted all the same
         * @enum {string}
         */
        inputMode?: "text" | "decimal" | "numeric" | "tel" | "search" | "email" | "url";
        audioClip?: {
          /** @description Off unless true */
          isEnabled?: boolean;
          /** @description The variable that receives the addresses */
          saveVariableId?: string;
          /**
           * @description Who may open the upload. `Auto` is what clients assume.
           * @enum {string}
           */
          visibility?: "Auto" | "Public" | "Private";
        };
        attachments?: {
          /** @description Off unless true */
          isEnabled?: boolean;
          /** @description The variable that receives the addresses */
          saveVariableId?: string;
          /**
           * @description Who may open the upload. `Auto` is what clients assume.
           * @enum {string}
           */
          visibility?: "Auto" | "Public" | "Private";
        };
      };
      /** @description The text that the bound variable holds; whether to show it is up to the client */
      prefilledValue?: string;
    };
    NumberInput: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "number input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description Shown while the field is empty */
          placeholder?: string;
          /** @description The client writes its own when there is none */
          button?: string;
        };
        /**
         * @description How the client shows the number; the reply is a plain number whatever it is
         * @enum {string}
         */
        style?: "decimal" | "currency" | "percent" | "unit";
        /** @description The client takes the browser's language when there is none */
        locale?: string;
        /** @description ISO 4217 code, for the style `currency` */
        currency?: string;
        /**
         * @description For the style `unit`
         * @enum {string}
         */
        unit?: "acre" | "bit" | "byte" | "celsius" | "centimeter" | "day" | "degree" | "fahrenheit" | "fluid-ounce" | "foot" | "gallon" | "gigabit" | "gigabyte" | "gram" | "hectare" | "hour" | "inch" | "kilobit" | "kilobyte" | "kilogram" | "kilometer" | "liter" | "megabit" | "megabyte" | "meter" | "microsecond" | "mile" | "mile-scandinavian" | "milliliter" | "millimeter" | "millisecond" | "minute" | "month" | "nanosecond" | "ounce" | "percent" | "petabyte" | "pound" | "second" | "stone" | "terabit" | "terabyte" | "week" | "yard" | "year";
        /** @description The smallest number that is accepted */
        min?: number;
        /** @description The largest number that is accepted */
        max?: number;
        /** @description A hint for the field; replies in between are accepted */
        step?: number;
      };
      /** @description The text that the bound variable holds; whether to show it is up to the client */
      prefilledValue?: string;
    };
    EmailInput: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "email input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description Shown while the field is empty */
          placeholder?: string;
          /** @description The client writes its own when there is none */
          button?: string;
        };
        /** @description Shown when a reply is refused; placeholders allowed */
        retryMessageContent?: string;
      };
      /** @description The text that the bound variable holds; whether to show it is up to the client */
      prefilledValue?: string;
    };
    UrlInput: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "url input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description Shown while the field is empty */
          placeholder?: string;
          /** @description The client writes its own when there is none */
          button?: string;
        };
        /** @description Shown when a reply is refused; placeholders allowed */
        retryMessageContent?: string;
      };
      /** @description The text that the bound variable holds; whether to show it is up to the client */
      prefilledValue?: string;
    };
    PhoneNumberInput: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "phone number input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description Shown while the field is empty */
          placeholder?: string;
          /** @description The client writes its own when there is none */
          button?: string;
        };
        /** @description The country of numbers without a dial code, ISO 3166-1; unknown codes count as none */
        defaultCountryCode?: string;
        /** @description Shown when a reply is refused; placeholders allowed */
        retryMessageContent?: string;
      };
      /** @description The text that the bound variable holds; whether to show it is up to the client */
      prefilledValue?: string;
    };
    DateInput: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "date input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description The client writes its own when there is none */
          button?: string;
          /** @description Before the first date of a range */
          from?: string;
          /** @description Before the second date of a range */
          to?: string;
          /** @description Between the dates of a saved range, `to` when there is none */
          separator?: string;
        };
        /** @description Off unless true */
        hasTime?: boolean;
        /** @description Off unless true */
        isRange?: boolean;
        /** @description How the answer is saved, in date-fns tokens. `dd/MM/yyyy` when there is none, with ` HH:mm` for times. */
        format?: string;
        /** @description A date, or a date with time; placeholders allowed. A bound without time is the whole day. */
        min?: string;
        /** @description A date, or a date with time; placeholders allowed. A bound without time is the whole day. */
        max?: string;
      };
      /** @description The text that the bound variable holds; whether to show it is up to the client */
      prefilledValue?: string;
    };
    TimeInput: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "time input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description The client writes its own when there is none */
          button?: string;
        };
        /** @description How the answer is saved, in date-fns tokens; `HH:mm` when there is none */
        format?: string;
      };
      /** @description The text that the bound variable holds; whether to show it is up to the client */
      prefilledValue?: string;
    };
    RatingInput: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "rating input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description Beside the lowest rating */
          left?: string;
          /** @description Beside the highest rating */
          right?: string;
          /** @description The client writes its own when there is none */
          button?: string;
        };
        /**
         * @description `Numbers` when there is none
         * @enum {string}
         */
        buttonType?: "Icons" | "Numbers";
        /** @description The highest rating, 10 when there is none */
        length?: number;
        customIcon?: {
          /** @description Off unless true */
          isEnabled?: boolean;
          /** @description Markup of the icon; placeholders allowed */
          svg?: string;
        };
        /** @description The client sends the rating as soon as one is chosen */
        isOneClickSubmitEnabled?: boolean;
        /** @description The lowest rating of `Numbers`, 0 when there is none; icons start at 1 */
        startsAt?: number;
      };
      /** @description The text that the bound variable holds; whether to show it is up to the client */
      prefilledValue?: string;
    };
    ChoiceInput: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "choice input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        /** @description Off unless true */
        isMultipleChoice?: boolean;
        /** @description The variable whose elements are shown in place of the items */
        dynamicVariableId?: string;
        /** @description Of the button that sends several choices; the client writes its own */
        buttonLabel?: string;
        /** @description Off unless true */
        isSearchable?: boolean;
        searchInputPlaceholder?: string;
        /** @description Whether the choices are shown before anything is searched for; on unless false */
        areInitialSearchButtonsVisible?: boolean;
      };
      items: ({
          /** @description Opaque identifier */
          id: string;
          /** @description Opaque identifier */
          outgoingEdgeId?: string;
          /** @description The label */
          content?: string;
          /** @description What is saved in place of the label */
          value?: string;
          /** @description The item is hidden where this does not hold */
          displayCondition?: {
            /** @description Off unless true: the item is always shown */
            isEnabled?: boolean;
            condition?: {
              /**
               * @description Whether every comparison has to hold or one is enough. AND when there is none
               * @enum {string}
               */
              logicalOperator?: "AND" | "OR";
              /** @description None at all never hold */
              comparisons?: ({
                  /** @description Opaque identifier */
                  id: string;
                  /** @description The variable to compare */
                  variableId?: string;
                  /** @enum {string} */
                  comparisonOperator?: "Equal to" | "Not equal" | "Contains" | "Does not contain" | "Greater than" | "Less than" | "Greater or equal to" | "Less or equal to" | "Is set" | "Is empty" | "Starts with" | "Ends with" | "Matches regex" | "Does not match regex";
                  /** @description What to compare with: text with placeholders, exactly one placeholder for the value itself, `null`, or a /pattern/flags */
                  value?: string;
                })[];
            };
          };
        })[];
    };
    PictureChoiceInput: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "picture choice input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        /** @description Off unless true */
        isMultipleChoice?: boolean;
        /** @description Off unless true */
        isSearchable?: boolean;
        /** @description Of the button that sends several choices; the client writes its own */
        buttonLabel?: string;
        searchInputPlaceholder?: string;
        dynamicItems?: {
          /** @description Off unless true */
          isEnabled?: boolean;
          /** @description The variable that holds the titles */
          titlesVariableId?: string;
          /** @description The variable that holds the descriptions */
          descriptionsVariableId?: string;
          /** @description The variable that holds the addresses of the pictures, one item for each */
          pictureSrcsVariableId?: string;
        };
      };
      items: ({
          /** @description Opaque identifier */
          id: string;
          /** @description Opaque identifier */
          outgoingEdgeId?: string;
          /** @description The address of the picture */
          pictureSrc?: string;
          title?: string;
          description?: string;
          /** @description What is saved in place of the title */
          value?: string;
          /** @description The item is hidden where this does not hold */
          displayCondition?: {
            /** @description Off unless true: the item is always shown */
            isEnabled?: boolean;
            condition?: {
              /**
               * @description Whether every comparison has to hold or one is enough. AND when there is none
               * @enum {string}
               */
              logicalOperator?: "AND" | "OR";
              /** @description None at all never hold */
              comparisons?: ({
                  /** @description Opaque identifier */
                  id: string;
                  /** @description The variable to compare */
                  variableId?: string;
                  /** @enum {string} */
                  comparisonOperator?: "Equal to" | "Not equal" | "Contains" | "Does not contain" | "Greater than" | "Less than" | "Greater or equal to" | "Less or equal to" | "Is set" | "Is empty" | "Starts with" | "Ends with" | "Matches regex" | "Does not match regex";
                  /** @description What to compare with: text with placeholders, exactly one placeholder for the value itself, `null`, or a /pattern/flags */
                  value?: string;
                })[];
            };
          };
        })[];
    };
    CardsInput: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "cards";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        saveResponseMapping?: ({
            /** @enum {string} */
            field?: "Image URL" | "Title" | "Description" | "Button" | "Internal Value";
            /** @description The variable that receives the field */
            variableId?: string;
          })[];
      };
      items: ({
          /** @description Opaque identifier */
          id: string;
          /** @description Opaque identifier */
          outgoingEdgeId?: string;
          /** @description The address of the picture */
          imageUrl?: string | null;
          /** @description What is saved when the card is chosen */
          title?: string | null;
          /** @description Below the title */
          description?: string | null;
          options?: {
            /** @description For the answer mapping; not shown */
            internalValue?: string;
            /** @description The item is hidden where this does not hold */
            displayCondition?: {
              /** @description Off unless true: the item is always shown */
              isEnabled?: boolean;
              condition?: {
                /**
                 * @description Whether every comparison has to hold or one is enough. AND when there is none
                 * @enum {string}
                 */
                logicalOperator?: "AND" | "OR";
                /** @description None at all never hold */
                comparisons?: ({
                    /** @description Opaque identifier */
                    id: string;
                    /** @description The variable to compare */
                    variableId?: string;
                    /** @enum {string} */
                    comparisonOperator?: "Equal to" | "Not equal" | "Contains" | "Does not contain" | "Greater than" | "Less than" | "Greater or equal to" | "Less or equal to" | "Is set" | "Is empty" | "Starts with" | "Ends with" | "Matches regex" | "Does not match regex";
                    /** @description What to compare with: text with placeholders, exactly one placeholder for the value itself, `null`, or a /pattern/flags */
                    value?: string;
                  })[];
              };
            };
          };
          paths?: {
              /** @description Opaque identifier */
              id: string;
              /** @description Opaque identifier */
              outgoingEdgeId?: string;
              /** @description The label of the button */
              text?: string;
            }[];
        })[];
    };
    FileInput: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "file input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description Shown where files are dropped; HTML that clients must sanitise */
          placeholder?: string;
          /** @description The client writes its own when there is none */
          button?: string;
          clear?: string;
          skip?: string;
          success?: {
            /** @description Shown when one file was uploaded */
            single?: string;
            /** @description Shown when several files were; `{total}` is their number */
            multiple?: string;
          };
        };
        /** @description On unless false */
        isRequired?: boolean;
        /** @description Off unless true */
        isMultipleAllowed?: boolean;
        allowedFileTypes?: {
          /** @description Off unless true */
          isEnabled?: boolean;
          /** @description MIME types, families of them, or extensions */
          types?: string[];
        };
        /**
         * @description The camera that a phone opens
         * @enum {string}
         */
        capture?: "environment" | "user";
        /**
         * @description Who may open the upload. `Auto` is what clients assume.
         * @enum {string}
         */
        visibility?: "Auto" | "Public" | "Private";
      };
      /** @description The text that the bound variable holds; whether to show it is up to the client */
      prefilledValue?: string;
    };
    PaymentInput: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "payment input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description The client writes its own when there is none */
          button?: string;
          /** @description What the client replies when the payment succeeded */
          success?: string;
        };
        /** @enum {string} */
        provider?: "Stripe";
        /** @description The credentials of the author's account */
        credentialsId?: string;
        /** @description ISO 4217 code, `USD` when there is none */
        currency?: string;
        /** @description In major units; placeholders allowed */
        amount?: string;
        additionalInformation?: {
          description?: string;
          name?: string;
          email?: string;
          phoneNumber?: string;
          address?: {
            country?: string;
            line1?: string;
            line2?: string;
            state?: string;
            city?: string;
            postalCode?: string;
          };
        };
        /** @description Shown when a reply is refused; placeholders allowed */
        retryMessageContent?: string;
      };
      /** @description The text that the bound variable holds; whether to show it is up to the client */
      prefilledValue?: string;
      runtimeOptions?: {
        /** @description Opens the payment in the form of the provider */
        paymentIntentSecret: string;
        amountLabel: string;
        publicKey: string;
      };
    };
    /** @description Something for the client to do, in this order. */
    ClientSideAction: components["schemas"]["ScriptToExecuteClientSideAction"] | components["schemas"]["SetVariableClientSideAction"] | components["schemas"]["RedirectClientSideAction"] | components["schemas"]["WaitClientSideAction"] | components["schemas"]["ListenForWebhookClientSideAction"] | components["schemas"]["HttpRequestToExecuteClientSideAction"] | components["schemas"]["StreamClientSideAction"] | components["schemas"]["StreamOpenAiChatCompletionClientSideAction"] | components["schemas"]["CodeToExecuteClientSideAction"] | components["schemas"]["ChatwootClientSideAction"] | components["schemas"]["GoogleAnalyticsClientSideAction"] | components["schemas"]["PixelClientSideAction"] | components["schemas"]["StartPropsToInjectClientSideAction"];
    ScriptToExecuteClientSideAction: {
      /** @constant */
      type: "scriptToExecute";
      scriptToExecute: {
        /** @description Body of an async function */
        content: string;
        args: {
            /** @description Opaque identifier */
            id: string;
            /** @description Text, number, boolean, null, or a list of texts and nulls; of inline code, any JSON. Absent for `undefined` */
            value?: unknown;
          }[];
        /** @description `setVariable` only: written as code by the author */
        isCode?: boolean;
        /** @description To be isolated by the client in a preview */
        isUnsafe?: boolean;
      };
      /** @description Message of this response after which to run; absent for before the first */
      lastBubbleBlockId?: string;
      /** @description The session waits for what the client sends back when this is done */
      expectsDedicatedReply?: boolean;
    };
    SetVariableClientSideAction: {
      /** @constant */
      type: "setVariable";
      setVariable: {
        scriptToExecute: {
          /** @description Body of an async function */
          content: string;
          args: {
              /** @description Opaque identifier */
              id: string;
              /** @description Text, number, boolean, null, or a list of texts and nulls; of inline code, any JSON. Absent for `undefined` */
              value?: unknown;
            }[];
          /** @description `setVariable` only: written as code by the author */
          isCode?: boolean;
          /** @description To be isolated by the client in a preview */
          isUnsafe?: boolean;
        };
      };
      /** @description Message of this response after which to run; absent for before the first */
      lastBubbleBlockId?: string;
      /** @constant */
      expectsDedicatedReply: true;
    };
    RedirectClientSideAction: {
      /** @constant */
      type: "redirect";
      redirect: {
        url?: string;
        /** @description The client takes false for absent */
        isNewTab?: boolean;
      };
      /** @description Message of this response after which to run; absent for before the first */
      lastBubbleBlockId?: string;
      /** @description The session waits for what the client sends back when this is done */
      expectsDedicatedReply?: boolean;
    };
    WaitClientSideAction: {
      /** @constant */
      type: "wait";
      wait: {
        secondsToWaitFor: number;
      };
      /** @description Message of this response after which to run; absent for before the first */
      lastBubbleBlockId?: string;
      /** @description The session waits for what the client sends back when this is done */
      expectsDedicatedReply?: boolean;
    };
    ListenForWebhookClientSideAction: {
      /** @constant */
      type: "listenForWebhook";
      /** @description Message of this response after which to run; absent for before the first */
      lastBubbleBlockId?: string;
      /** @constant */
      expectsDedicatedReply: true;
    };
    HttpRequestToExecuteClientSideAction: {
      /** @constant */
      type: "httpRequestToExecute";
      httpRequestToExecute: {
        url: string;
        method?: string;
        headers?: {
          [key: string]: string;
        };
        /** @description JSON value, or text that is no JSON; absent for no body */
        body?: unknown;
      };
      /** @description Message of this response after which to run; absent for before the first */
      lastBubbleBlockId?: string;
      /** @constant */
      expectsDedicatedReply: true;
    };
    StreamClientSideAction: {
      /** @constant */
      type: "stream";
      /** @constant */
      stream: true;
      /** @description Message of this response after which to run; absent for before the first */
      lastBubbleBlockId?: string;
      /** @constant */
      expectsDedicatedReply: true;
    };
    StreamOpenAiChatCompletionClientSideAction: {
      /** @constant */
      type: "streamOpenAiChatCompletion";
      streamOpenAiChatCompletion: {
        messages: {
            role?: string;
            content?: string;
          }[];
      };
      /** @description Message of this response after which to run; absent for before the first */
      lastBubbleBlockId?: string;
      /** @constant */
      expectsDedicatedReply: true;
    };
    CodeToExecuteClientSideAction: {
      /** @constant */
      type: "codeToExecute";
      codeToExecute: {
        args: {
          [key: string]: unknown;
        };
        content: string;
      };
      /** @description Message of this response after which to run; absent for before the first */
      lastBubbleBlockId?: string;
      /** @description The session waits for what the client sends back when this is done */
      expectsDedicatedReply?: boolean;
    };
    ChatwootClientSideAction: {
      /** @constant */
      type: "chatwoot";
      chatwoot: {
        scriptToExecute: {
          content: string;
          args: {
              /** @description Opaque identifier */
              id: string;
              /** @description Text, number, boolean, null, or a list of texts and nulls; of inline code, any JSON. Absent for `undefined` */
              value?: unknown;
            }[];
        };
      };
      /** @description Message of this response after which to run; absent for before the first */
      lastBubbleBlockId?: string;
      /** @description The session waits for what the client sends back when this is done */
      expectsDedicatedReply?: boolean;
    };
    GoogleAnalyticsClientSideAction: {
      /** @constant */
      type: "googleAnalytics";
      googleAnalytics: {
        trackingId?: string;
        category?: string;
        action?: string;
        label?: string;
        value?: number;
        sendTo?: string;
      };
      /** @description Message of this response after which to run; absent for before the first */
      lastBubbleBlockId?: string;
      /** @description The session waits for what the client sends back when this is done */
      expectsDedicatedReply?: boolean;
    };
    PixelClientSideAction: {
      /** @constant */
      type: "pixel";
      pixel: {
        pixelId: string;
        eventType: string;
        /** @description Name of the event when `eventType` is `Custom` */
        name?: string;
        isInitSkip?: boolean;
        params?: {
            /** @description Opaque identifier */
            id?: string;
            key?: string;
            value?: unknown;
          }[];
      };
      /** @description Message of this response after which to run; absent for before the first */
      lastBubbleBlockId?: string;
      /** @description The session waits for what the client sends back when this is done */
      expectsDedicatedReply?: boolean;
    };
    StartPropsToInjectClientSideAction: {
      /** @constant */
      type: "startPropsToInject";
      startPropsToInject: {
        googleAnalyticsId?: string;
        pixelIds?: string[];
        /** @description Google Tag Manager container */
        gtmId?: string;
        /** @description HTML elements for the head of the page */
        customHeadCode?: string;
      };
      /** @description Message of this response after which to run; absent for before the first */
      lastBubbleBlockId?: string;
      /** @description The session waits for what the client sends back when this is done */
      expectsDedicatedReply?: boolean;
    };
    Log: {
      /** @enum {string} */
      status?: "error" | "info" | "success";
      description: string;
      details?: string;
      context?: string;
    };
    /** @description A problem document (RFC 9457). */
    ErrorBody: {
      /** @description Kind of problem, as a URI reference */
      type: string;
      /** @description What the status means */
      title: string;
      status: number;
      /** @description The same text as `message` */
      detail: string;
      /** @description The request that this answers */
      instance?: string;
      /**
       * @description Stable name of the problem
       * @enum {string}
       */
      code: "BAD_REQUEST" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "UNPROCESSABLE_CONTENT" | "HEADERS_TOO_LARGE" | "TOO_MANY_REQUESTS" | "SERVICE_UNAVAILABLE" | "INTERNAL_SERVER_ERROR";
      /** @description What went wrong, for people */
      message: string;
      /** @description What is wrong with the body, place by place; at most about twenty entries */
      errors?: {
          /** @description JSON pointer into what was sent (RFC 6901); empty for the whole */
          pointer: string;
          message: string;
        }[];
      input?: components["schemas"]["Input"];
      /**
       * @description Why a session is not found: only where it is one that is not found
       * @enum {string}
       */
      reason?: "ended" | "expired" | "unknown";
    };
    /** @description A flow to run. Unknown keys are ignored, blocks of unknown types are skipped. */
    FlowDefinition: {
      /**
       * @description Default 6 when there are events, else 3. The response repeats it. A number counts as its text
       * @enum {string}
       */
      version?: "3" | "4" | "5" | "6" | "6.1";
      /** @description Opaque identifier */
      id: string;
      groups: {
          /** @description Opaque identifier */
          id: string;
          title?: string;
          /** @description Where the editor draws it; has no effect */
          graphCoordinates?: {
            x?: number;
            y?: number;
          };
          blocks: components["schemas"]["Block"][];
        }[];
      /** @description From version 6 on the first is the start, and the only one. Ignored in older versions */
      events?: components["schemas"]["FlowEvent"][] | null;
      edges?: {
          /** @description Opaque identifier */
          id: string;
          /** @description Kept for the editor; what counts is who names the edge */
          from?: {
            /** @description Opaque identifier */
            blockId?: string;
            /** @description Opaque identifier */
            itemId?: string;
            /** @description Opaque identifier */
            pathId?: string;
            /** @description Opaque identifier */
            eventId?: string;
          };
          to: {
            /** @description Opaque identifier */
            groupId: string;
            /** @description Default: the first block of the group */
            blockId?: string;
          };
        }[];
      variables?: ({
          /** @description Opaque identifier */
          id: string;
          /** @description What placeholders and prefilledVariables call it */
          name: string;
          /** @description Whether it is kept out of the result. Default false */
          isSessionVariable?: boolean;
          /** @description Text, a list of texts, or null */
          value?: string | ((string | null)[]) | null;
        })[];
      settings?: components["schemas"]["Settings"];
      theme?: components["schemas"]["Theme"];
      name?: string;
      /** @description What the flow is published as. Default: its file's name */
      publicId?: string;
      /** @description Whether starts are refused. Default false */
      isClosed?: boolean;
      /** @description Whether the flow counts as gone. Default false */
      isArchived?: boolean;
      /** @description ISO 8601 moment */
      updatedAt?: string;
      /** @description A label; it gives access to nothing */
      workspaceId?: string;
    };
    Block: {
      type: "Block";
    } & (Omit<components["schemas"]["KnownBlock"], "type"> | {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      type: string;
    });
    KnownBlock: components["schemas"]["TextKnownBlock"] | components["schemas"]["ImageKnownBlock"] | components["schemas"]["VideoKnownBlock"] | components["schemas"]["EmbedKnownBlock"] | components["schemas"]["AudioKnownBlock"] | components["schemas"]["TextInputKnownBlock"] | components["schemas"]["NumberInputKnownBlock"] | components["schemas"]["EmailInputKnownBlock"] | components["schemas"]["UrlInputKnownBlock"] | components["schemas"]["PhoneNumberInputKnownBlock"] | components["schemas"]["DateInputKnownBlock"] | components["schemas"]["TimeInputKnownBlock"] | components["schemas"]["RatingInputKnownBlock"] | components["schemas"]["FileInputKnownBlock"] | components["schemas"]["PaymentInputKnownBlock"] | components["schemas"]["ChoiceInputKnownBlock"] | components["schemas"]["PictureChoiceInputKnownBlock"] | components["schemas"]["CardsKnownBlock"] | components["schemas"]["StartKnownBlock"] | components["schemas"]["SetVariableKnownBlock"] | components["schemas"]["CodeKnownBlock"] | components["schemas"]["ConditionKnownBlock"] | components["schemas"]["RedirectKnownBlock"] | components["schemas"]["WaitKnownBlock"] | components["schemas"]["JumpKnownBlock"] | components["schemas"]["ReturnKnownBlock"] | components["schemas"]["ABTestKnownBlock"] | components["schemas"]["FlowLinkKnownBlock"] | components["schemas"]["WebhookKnownBlock"] | components["schemas"]["WebhookKnownBlock2"] | components["schemas"]["EmailKnownBlock"] | components["schemas"]["GoogleAnalyticsKnownBlock"] | components["schemas"]["PixelKnownBlock"] | components["schemas"]["ChatwootKnownBlock"] | components["schemas"]["OpenAIKnownBlock"] | components["schemas"]["OpenaiKnownBlock2"] | components["schemas"]["ElevenlabsKnownBlock"] | components["schemas"]["GmailKnownBlock"] | components["schemas"]["BlinkKnownBlock"] | components["schemas"]["CalComKnownBlock"] | components["schemas"]["ChatNodeKnownBlock"] | components["schemas"]["DifyAiKnownBlock"] | components["schemas"]["GoogleSheetsKnownBlock"] | components["schemas"]["NocodbKnownBlock"] | components["schemas"]["PosthogKnownBlock"] | components["schemas"]["QrCodeKnownBlock"] | components["schemas"]["SegmentKnownBlock"] | components["schemas"]["ZendeskKnownBlock"];
    TextKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "text";
      content?: {
        /** @description Leaves `{ text, bold?, italic?, underline? }` and elements `{ type, children, url? }` */
        richText?: unknown[];
        /** @description Left over from old flows: ignored */
        html?: unknown;
        /** @description Left over from old flows: ignored */
        plainText?: unknown;
      };
    };
    ImageKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "image";
      content?: {
        /** @description Address or `data:` URI of the picture */
        url?: string;
        clickLink?: {
          /** @description Where a click leads */
          url?: string;
          /** @description Alternative text of the picture; clients have one of their own */
          alt?: string;
        };
      };
    };
    VideoKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "video";
      content?: {
        /** @description For a provider that is recognised, only the recognised part: players are built from `type` and `id` */
        url?: string;
        /**
         * @description Told from the address when it is not empty
         * @enum {string}
         */
        type?: "url" | "youtube" | "vimeo" | "tiktok" | "gumlet";
        /** @description The provider's own id of the video */
        id?: string;
        aspectRatio?: string;
        /** @description CSS length; clients take 100% when absent */
        maxWidth?: string;
        /** @description Appended to the address of the player */
        queryParamsStr?: string;
        /** @description For `type` `url` only; clients take true when absent */
        areControlsDisplayed?: boolean;
        /** @description Clients take true when absent */
        isAutoplayEnabled?: boolean;
        /** @description Pixels, used without an `aspectRatio`; clients take 400 when absent */
        height?: number | string;
      };
    };
    EmbedKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "embed";
      content?: {
        url?: string;
        /** @description Pixels; clients take 400 when absent */
        height?: number | string;
        waitForEvent?: {
          /** @description Whether the flow waits here until the page sends its event */
          isEnabled?: boolean;
          /** @description Name of the event */
          name?: string;
          /** @description Receives the data of the event */
          saveDataInVariableId?: string;
        };
      };
    };
    AudioKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "audio";
      content?: {
        url?: string;
        /** @description Clients take true when absent */
        isAutoplayEnabled?: boolean;
      };
    };
    TextInputKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "text input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description Shown while the field is empty */
          placeholder?: string;
          /** @description The client writes its own when there is none */
          button?: string;
        };
        /** @description A field of several lines */
        isLong?: boolean;
        /**
         * @description A hint for virtual keyboards; any text is accepted all the same
         * @enum {string}
         */
        inputMode?: "text" | "decimal" | "numeric" | "tel" | "search" | "email" | "url";
        audioClip?: {
          /** @description Off unless true */
          isEnabled?: boolean;
          /** @description The variable that receives the addresses */
          saveVariableId?: string;
          /**
           * @description Who may open the upload. `Auto` is what clients assume.
           * @enum {string}
           */
          visibility?: "Auto" | "Public" | "Private";
        };
        attachments?: {
          /** @description Off unless true */
          isEnabled?: boolean;
          /** @description The variable that receives the addresses */
          saveVariableId?: string;
          /**
           * @description Who may open the upload. `Auto` is what clients assume.
           * @enum {string}
           */
          visibility?: "Auto" | "Public" | "Private";
        };
      };
    };
    NumberInputKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "number input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description Shown while the field is empty */
          placeholder?: string;
          /** @description The client writes its own when there is none */
          button?: string;
        };
        /**
         * @description How the client shows the number; the reply is a plain number whatever it is
         * @enum {string}
         */
        style?: "decimal" | "currency" | "percent" | "unit";
        /** @description The client takes the browser's language when there is none */
        locale?: string;
        /** @description ISO 4217 code, for the style `currency` */
        currency?: string;
        /**
         * @description For the style `unit`
         * @enum {string}
         */
        unit?: "acre" | "bit" | "byte" | "celsius" | "centimeter" | "day" | "degree" | "fahrenheit" | "fluid-ounce" | "foot" | "gallon" | "gigabit" | "gigabyte" | "gram" | "hectare" | "hour" | "inch" | "kilobit" | "kilobyte" | "kilogram" | "kilometer" | "liter" | "megabit" | "megabyte" | "meter" | "microsecond" | "mile" | "mile-scandinavian" | "milliliter" | "millimeter" | "millisecond" | "minute" | "month" | "nanosecond" | "ounce" | "percent" | "petabyte" | "pound" | "second" | "stone" | "terabit" | "terabyte" | "week" | "yard" | "year";
        /** @description A number, numeric text, or exactly one {{placeholder}} */
        min?: number | string;
        /** @description A number, numeric text, or exactly one {{placeholder}} */
        max?: number | string;
        /** @description A number, numeric text, or exactly one {{placeholder}} */
        step?: number | string;
      };
    };
    EmailInputKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "email input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description Shown while the field is empty */
          placeholder?: string;
          /** @description The client writes its own when there is none */
          button?: string;
        };
        /** @description Shown when a reply is refused; placeholders allowed */
        retryMessageContent?: string;
      };
    };
    UrlInputKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "url input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description Shown while the field is empty */
          placeholder?: string;
          /** @description The client writes its own when there is none */
          button?: string;
        };
        /** @description Shown when a reply is refused; placeholders allowed */
        retryMessageContent?: string;
      };
    };
    PhoneNumberInputKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "phone number input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description Shown while the field is empty */
          placeholder?: string;
          /** @description The client writes its own when there is none */
          button?: string;
        };
        /** @description The country of numbers without a dial code, ISO 3166-1; unknown codes count as none */
        defaultCountryCode?: string;
        /** @description Shown when a reply is refused; placeholders allowed */
        retryMessageContent?: string;
      };
    };
    DateInputKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "date input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description The client writes its own when there is none */
          button?: string;
          /** @description Before the first date of a range */
          from?: string;
          /** @description Before the second date of a range */
          to?: string;
          /** @description Between the dates of a saved range, `to` when there is none */
          separator?: string;
        };
        /** @description Off unless true */
        hasTime?: boolean;
        /** @description Off unless true */
        isRange?: boolean;
        /** @description How the answer is saved, in date-fns tokens. `dd/MM/yyyy` when there is none, with ` HH:mm` for times. */
        format?: string;
        /** @description A date, or a date with time; placeholders allowed. A bound without time is the whole day. */
        min?: string;
        /** @description A date, or a date with time; placeholders allowed. A bound without time is the whole day. */
        max?: string;
      };
    };
    TimeInputKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "time input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description The client writes its own when there is none */
          button?: string;
        };
        /** @description How the answer is saved, in date-fns tokens; `HH:mm` when there is none */
        format?: string;
      };
    };
    RatingInputKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "rating input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description Beside the lowest rating */
          left?: string;
          /** @description Beside the highest rating */
          right?: string;
          /** @description The client writes its own when there is none */
          button?: string;
        };
        /**
         * @description `Numbers` when there is none
         * @enum {string}
         */
        buttonType?: "Icons" | "Numbers";
        /** @description The highest rating, 10 when there is none */
        length?: number;
        customIcon?: {
          /** @description Off unless true */
          isEnabled?: boolean;
          /** @description Markup of the icon; placeholders allowed */
          svg?: string;
        };
        /** @description The client sends the rating as soon as one is chosen */
        isOneClickSubmitEnabled?: boolean;
        /** @description A number, numeric text, or exactly one {{placeholder}} */
        startsAt?: number | string;
      };
    };
    FileInputKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "file input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description Shown where files are dropped; HTML that clients must sanitise */
          placeholder?: string;
          /** @description The client writes its own when there is none */
          button?: string;
          clear?: string;
          skip?: string;
          success?: {
            /** @description Shown when one file was uploaded */
            single?: string;
            /** @description Shown when several files were; `{total}` is their number */
            multiple?: string;
          };
        };
        /** @description On unless false */
        isRequired?: boolean;
        /** @description Off unless true */
        isMultipleAllowed?: boolean;
        allowedFileTypes?: {
          /** @description Off unless true */
          isEnabled?: boolean;
          /** @description MIME types, families of them, or extensions */
          types?: string[];
        };
        /**
         * @description The camera that a phone opens
         * @enum {string}
         */
        capture?: "environment" | "user";
        /**
         * @description Who may open the upload. `Auto` is what clients assume.
         * @enum {string}
         */
        visibility?: "Auto" | "Public" | "Private";
      };
    };
    PaymentInputKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "payment input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        labels?: {
          /** @description The client writes its own when there is none */
          button?: string;
          /** @description What the client replies when the payment succeeded */
          success?: string;
        };
        /** @enum {string} */
        provider?: "Stripe";
        /** @description The credentials of the author's account */
        credentialsId?: string;
        /** @description ISO 4217 code, `USD` when there is none */
        currency?: string;
        /** @description In major units; placeholders allowed */
        amount?: string;
        additionalInformation?: {
          description?: string;
          name?: string;
          email?: string;
          phoneNumber?: string;
          address?: {
            country?: string;
            line1?: string;
            line2?: string;
            state?: string;
            city?: string;
            postalCode?: string;
          };
        };
        /** @description Shown when a reply is refused; placeholders allowed */
        retryMessageContent?: string;
        /** @description Whether a payment that takes days counts as made once it is under way. Default false */
        acceptProcessing?: boolean;
      };
    };
    ChoiceInputKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "choice input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        /** @description Off unless true */
        isMultipleChoice?: boolean;
        /** @description The variable whose elements are shown in place of the items */
        dynamicVariableId?: string;
        /** @description Of the button that sends several choices; the client writes its own */
        buttonLabel?: string;
        /** @description Off unless true */
        isSearchable?: boolean;
        searchInputPlaceholder?: string;
        /** @description Whether the choices are shown before anything is searched for; on unless false */
        areInitialSearchButtonsVisible?: boolean;
      };
      items: ({
          /** @description Opaque identifier */
          id: string;
          /** @description Opaque identifier */
          outgoingEdgeId?: string;
          /** @description Opaque identifier */
          blockId?: string;
          /** @description The label */
          content?: string;
          /** @description What is saved in place of the label */
          value?: string;
          /** @description The item is hidden where this does not hold */
          displayCondition?: {
            /** @description Off unless true: the item is always shown */
            isEnabled?: boolean;
            condition?: {
              /**
               * @description Whether every comparison has to hold or one is enough. AND when there is none
               * @enum {string}
               */
              logicalOperator?: "AND" | "OR";
              /** @description None at all never hold */
              comparisons?: ({
                  /** @description Opaque identifier */
                  id: string;
                  /** @description The variable to compare */
                  variableId?: string;
                  /** @enum {string} */
                  comparisonOperator?: "Equal to" | "Not equal" | "Contains" | "Does not contain" | "Greater than" | "Less than" | "Greater or equal to" | "Less or equal to" | "Is set" | "Is empty" | "Starts with" | "Ends with" | "Matches regex" | "Does not match regex";
                  /** @description What to compare with: text with placeholders, exactly one placeholder for the value itself, `null`, or a /pattern/flags */
                  value?: string;
                })[];
            };
          };
        })[];
    };
    PictureChoiceInputKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "picture choice input";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        /** @description Off unless true */
        isMultipleChoice?: boolean;
        /** @description Off unless true */
        isSearchable?: boolean;
        /** @description Of the button that sends several choices; the client writes its own */
        buttonLabel?: string;
        searchInputPlaceholder?: string;
        dynamicItems?: {
          /** @description Off unless true */
          isEnabled?: boolean;
          /** @description The variable that holds the titles */
          titlesVariableId?: string;
          /** @description The variable that holds the descriptions */
          descriptionsVariableId?: string;
          /** @description The variable that holds the addresses of the pictures, one item for each */
          pictureSrcsVariableId?: string;
        };
      };
      items: ({
          /** @description Opaque identifier */
          id: string;
          /** @description Opaque identifier */
          outgoingEdgeId?: string;
          /** @description Opaque identifier */
          blockId?: string;
          /** @description The address of the picture */
          pictureSrc?: string;
          title?: string;
          description?: string;
          /** @description What is saved in place of the title */
          value?: string;
          /** @description The item is hidden where this does not hold */
          displayCondition?: {
            /** @description Off unless true: the item is always shown */
            isEnabled?: boolean;
            condition?: {
              /**
               * @description Whether every comparison has to hold or one is enough. AND when there is none
               * @enum {string}
               */
              logicalOperator?: "AND" | "OR";
              /** @description None at all never hold */
              comparisons?: ({
                  /** @description Opaque identifier */
                  id: string;
                  /** @description The variable to compare */
                  variableId?: string;
                  /** @enum {string} */
                  comparisonOperator?: "Equal to" | "Not equal" | "Contains" | "Does not contain" | "Greater than" | "Less than" | "Greater or equal to" | "Less or equal to" | "Is set" | "Is empty" | "Starts with" | "Ends with" | "Matches regex" | "Does not match regex";
                  /** @description What to compare with: text with placeholders, exactly one placeholder for the value itself, `null`, or a /pattern/flags */
                  value?: string;
                })[];
            };
          };
        })[];
    };
    CardsKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "cards";
      options?: {
        /** @description The variable that receives the answer */
        variableId?: string;
        saveResponseMapping?: ({
            /** @enum {string} */
            field?: "Image URL" | "Title" | "Description" | "Button" | "Internal Value";
            /** @description The variable that receives the field */
            variableId?: string;
          })[];
      };
      /** @description A single one whose texts are placeholders of lists stands for one card an element */
      items: ({
          /** @description Opaque identifier */
          id: string;
          /** @description Opaque identifier */
          outgoingEdgeId?: string;
          /** @description Opaque identifier */
          blockId?: string;
          /** @description The address of the picture */
          imageUrl?: string | null;
          /** @description What is saved when the card is chosen */
          title?: string | null;
          /** @description Below the title */
          description?: string | null;
          options?: {
            /** @description For the answer mapping; not shown */
            internalValue?: string;
            /** @description The item is hidden where this does not hold */
            displayCondition?: {
              /** @description Off unless true: the item is always shown */
              isEnabled?: boolean;
              condition?: {
                /**
                 * @description Whether every comparison has to hold or one is enough. AND when there is none
                 * @enum {string}
                 */
                logicalOperator?: "AND" | "OR";
                /** @description None at all never hold */
                comparisons?: ({
                    /** @description Opaque identifier */
                    id: string;
                    /** @description The variable to compare */
                    variableId?: string;
                    /** @enum {string} */
                    comparisonOperator?: "Equal to" | "Not equal" | "Contains" | "Does not contain" | "Greater than" | "Less than" | "Greater or equal to" | "Less or equal to" | "Is set" | "Is empty" | "Starts with" | "Ends with" | "Matches regex" | "Does not match regex";
                    /** @description What to compare with: text with placeholders, exactly one placeholder for the value itself, `null`, or a /pattern/flags */
                    value?: string;
                  })[];
              };
            };
          };
          paths?: {
              /** @description Opaque identifier */
              id: string;
              /** @description Opaque identifier */
              outgoingEdgeId?: string;
              /** @description The label of the button */
              text?: string;
            }[];
        })[];
    };
    StartKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "start";
      /** @description Shown by the editor */
      label?: string;
    };
    SetVariableKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "Set variable";
      options?: {
        /** @description The variable to write; without it the block does nothing */
        variableId?: string;
        /**
         * @description Default `Custom`. `User ID` is `Result ID` by another name
         * @enum {string}
         */
        type?: "Custom" | "Empty" | "Append value(s)" | "Environment name" | "Device type" | "Transcript" | "Result ID" | "User ID" | "Now" | "Today" | "Yesterday" | "Tomorrow" | "Random ID" | "Moment of the day" | "Map item with same index" | "Pop" | "Shift" | "Phone number" | "Contact name" | "Referral Click ID" | "Referral Source ID";
        /** @description `Custom`: whether the expression is evaluated in the browser. Default false */
        isExecutedOnClient?: boolean;
        /** @description Passed to the client, which isolates the code in a preview */
        isUnsafe?: boolean;
        /** @description `Custom`: text with placeholders, or a JavaScript expression, which is tried first */
        expressionToEvaluate?: string;
        /** @description `Custom`: whether an expression that fails is told in the logs. Default false */
        isCode?: boolean;
        /** @description For the editor */
        expressionDescription?: string;
        /** @description `Custom` with `isCode`: receives why the expression failed */
        saveErrorInVariableId?: string;
        /** @description `Now`, `Yesterday`, `Tomorrow`: IANA name or offset; may hold placeholders. Default UTC */
        timeZone?: string;
        /** @description `Map item with same index`: the element of the target list where the base list holds the base item */
        mapListItemParams?: {
          /** @description Opaque identifier */
          baseItemVariableId?: string;
          /** @description Opaque identifier */
          baseListVariableId?: string;
          /** @description Opaque identifier */
          targetListVariableId?: string;
        };
        /** @description `Append value(s)`: one text; may hold placeholders */
        item?: string;
        /** @description `Pop`, `Shift`: receives the element taken */
        saveItemInVariableId?: string;
      };
    };
    CodeKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "Code";
      options?: {
        /** @description For the editor. Default `Script` */
        name?: string;
        /** @description Body of an async JavaScript function; without it the block does nothing */
        content?: string;
        /** @description Default true */
        isExecutedOnClient?: boolean;
        /** @description Passed to the client, which isolates the code in a preview */
        isUnsafe?: boolean;
        /** @description For the editor */
        shouldExecuteInParentContext?: boolean;
      };
    };
    ConditionKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "Condition";
      /** @description Tested in this order; an item without content never holds */
      items?: ({
          /** @description Opaque identifier */
          id: string;
          /** @description Opaque identifier */
          outgoingEdgeId?: string;
          /** @description Opaque identifier */
          blockId?: string;
          content?: {
            /**
             * @description Whether every comparison has to hold or one is enough. AND when there is none
             * @enum {string}
             */
            logicalOperator?: "AND" | "OR";
            /** @description None at all never hold */
            comparisons?: ({
                /** @description Opaque identifier */
                id: string;
                /** @description The variable to compare */
                variableId?: string;
                /** @enum {string} */
                comparisonOperator?: "Equal to" | "Not equal" | "Contains" | "Does not contain" | "Greater than" | "Less than" | "Greater or equal to" | "Less or equal to" | "Is set" | "Is empty" | "Starts with" | "Ends with" | "Matches regex" | "Does not match regex";
                /** @description What to compare with: text with placeholders, exactly one placeholder for the value itself, `null`, or a /pattern/flags */
                value?: string;
              })[];
          };
        })[];
    };
    RedirectKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "Redirect";
      options?: {
        /** @description May hold placeholders. Without a scheme, `https://` is put before it */
        url?: string;
        /** @description Default false, applied by the client */
        isNewTab?: boolean;
      };
    };
    WaitKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "Wait";
      options?: {
        /** @description Seconds: a number, or text that starts with one. May hold placeholders */
        secondsToWaitFor?: string | number;
        /** @description Whether the session waits for the client before it goes on. Default false */
        shouldPause?: boolean;
      };
    };
    JumpKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "Jump";
      options?: {
        /** @description Id of a group, or exactly one placeholder that holds the title of a group */
        groupId?: string;
        /** @description A block of that group. Default: its first block */
        blockId?: string;
      };
    };
    ReturnKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "Return";
    };
    ABTestKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "AB test";
      items: ({
          /** @description Opaque identifier */
          id: string;
          /** @description Opaque identifier */
          outgoingEdgeId?: string;
          /** @description Opaque identifier */
          blockId?: string;
          /**
           * @description A label: the first item is a, the second b
           * @enum {string}
           */
          path?: "a" | "b";
        })[];
      options?: {
        /** @description How often the first way is taken, in percent. Default 50 */
        aPercent?: number;
      };
    };
    FlowLinkKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "Flow link";
      options?: {
        /** @description `current`, the id of this flow, or the id or public id of another published flow */
        flowId?: string;
        /** @description Where to enter: id of a group, or exactly one placeholder that holds its title. Default: the start of the flow */
        groupId?: string;
        /** @description Whether variables and answers come back from the other flow. Default false; in flows below version 6 true */
        mergeResults?: boolean;
      };
    };
    WebhookKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "webhook";
      options?: {
        responseVariableMapping?: {
            /** @description Opaque identifier */
            id?: string;
            /** @description Opaque identifier */
            variableId?: string;
            /** @description Expression over `data` (the body) and `statusCode` */
            bodyPath?: string;
          }[];
      };
    };
    WebhookKnownBlock2: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @enum {string} */
      type: "Webhook" | "Zapier" | "Make.com" | "Pabbly";
      /** @description Of version 3: a stored request, which counts as none */
      webhookId?: string;
      options?: {
        webhook?: {
          /** @description Of versions below 6; has no effect */
          id?: string;
          url?: string;
          /**
           * @description Default POST
           * @enum {string}
           */
          method?: "POST" | "GET" | "PUT" | "DELETE" | "PATCH" | "HEAD" | "CONNECT" | "OPTIONS" | "TRACE";
          /** @description May hold placeholders. A row whose key or value ends up empty is left out */
          queryParams?: {
              /** @description Opaque identifier */
              id?: string;
              key?: string;
              value?: string;
            }[];
          /** @description May hold placeholders. A row whose key or value ends up empty is left out */
          headers?: {
              /** @description Opaque identifier */
              id?: string;
              key?: string;
              value?: string;
            }[];
          /** @description Used when `isCustomBody` is true. `{{state}}` stands for all answers and variables, as does absence */
          body?: string;
        };
        /** @description Default false: all answers and variables are sent */
        isCustomBody?: boolean;
        /** @description Whether the browser sends the request (`Webhook` only). Default false */
        isExecutedOnClient?: boolean;
        /** @description Seconds. Default 10 */
        timeout?: number;
        responseVariableMapping?: {
            /** @description Opaque identifier */
            id?: string;
            /** @description Opaque identifier */
            variableId?: string;
            /** @description Expression over `data` (the body) and `statusCode` */
            bodyPath?: string;
          }[];
        /** @description A request through a proxy is not sent */
        proxyCredentialsId?: string;
        /** @description For trials in the editor; has no effect */
        variablesForTest?: {
            /** @description Opaque identifier */
            id?: string;
            /** @description Opaque identifier */
            variableId?: string;
            value?: string;
          }[];
      };
    };
    EmailKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "Email";
      options?: {
        /** @description `default` for the mail server of this service */
        credentialsId?: string;
        recipients?: string[];
        cc?: string[];
        bcc?: string[];
        replyTo?: string;
        subject?: string;
        body?: string;
        /** @description Default: true when there is a body */
        isCustomBody?: boolean;
        /** @description Whether the body is HTML. Default false */
        isBodyCode?: boolean;
        /** @description Opaque identifier */
        attachmentsVariableId?: string;
      };
    };
    GoogleAnalyticsKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "Google Analytics";
      options?: {
        trackingId?: string;
        category?: string;
        action?: string;
        label?: string;
        /** @description A number, numeric text, or exactly one {{placeholder}} */
        value?: number | string;
        sendTo?: string;
      };
    };
    PixelKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "Pixel";
      options?: {
        /** @description Taken as written: placeholders are not replaced */
        pixelId?: string;
        /** @description Whether the page loads the pixel itself. Default false */
        isInitSkip?: boolean;
        /**
         * @description Absent: the pixel is loaded, and no event is sent
         * @enum {string}
         */
        eventType?: "Custom" | "Lead" | "Contact" | "CompleteRegistration" | "Schedule" | "SubmitApplication" | "ViewContent" | "AddPaymentInfo" | "AddToCart" | "AddToWishlist" | "CustomizeProduct" | "Donate" | "FindLocation" | "InitiateCheckout" | "Purchase" | "Search" | "StartTrial" | "Subscribe";
        /** @description Name of the event when `eventType` is `Custom` */
        name?: string;
        params?: {
            /** @description Opaque identifier */
            id?: string;
            key?: string;
            /** @description Any JSON; text that reads as JSON is sent as what it says */
            value?: unknown;
          }[];
      };
    };
    ChatwootKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "Chatwoot";
      options?: {
        /**
         * @description Default `Show widget`
         * @enum {string}
         */
        task?: "Show widget" | "Close widget";
        /** @description Default https://app.chatwoot.com */
        baseUrl?: string;
        websiteToken?: string;
        user?: {
          /** @description Default: the email address, else the result id */
          id?: string;
          email?: string;
          name?: string;
          avatarUrl?: string;
          phoneNumber?: string;
        };
      };
    };
    OpenAIKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "OpenAI";
      options?: {
        /** @description Opaque identifier */
        credentialsId?: string;
        /** @enum {string} */
        task?: "Create chat completion" | "Create speech" | "Create image";
        /** @description Default gpt-3.5-turbo, of speech tts-1 */
        model?: string;
        messages?: ({
            /** @description Opaque identifier */
            id?: string;
            /** @description `system`, `user`, `assistant`, `Dialogue`, or a name that begins with `Messages sequence` */
            role?: string;
            /** @description Text, or the ids of two list variables, depending on the role */
            content?: string | {
              /** @description Opaque identifier */
              userMessagesVariableId?: string;
              /** @description Opaque identifier */
              assistantMessagesVariableId?: string;
            };
            /** @description Opaque identifier */
            dialogueVariableId?: string;
            /**
             * @description Default user
             * @enum {string}
             */
            startsBy?: "user" | "assistant";
          })[];
        advancedSettings?: {
          /** @description A number, numeric text, or exactly one {{placeholder}} */
          temperature?: number | string;
        };
        responseMapping?: {
            /** @description Opaque identifier */
            id?: string;
            /** @description Default `Message content` */
            valueToExtract?: string;
            /** @description Opaque identifier */
            variableId?: string;
          }[];
        /** @description Has no effect: a stored key is never sent to an address of a block */
        baseUrl?: string;
        /** @description Has no effect */
        apiVersion?: string;
        /** @description `Create speech` only */
        input?: string;
        /** @description `Create speech` only */
        voice?: string;
        /** @description Opaque identifier */
        saveUrlInVariableId?: string;
      };
    };
    OpenaiKnownBlock2: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @enum {string} */
      type: "openai" | "mistral" | "groq" | "deepseek" | "open-router" | "together-ai" | "perplexity" | "anthropic";
      options?: {
        /** @description An account that the operator lends. Default: the one of this type, where there is one */
        credentialsId?: string;
        action?: string;
        /** @description Has no effect: a stored key is never sent to an address of a block */
        baseUrl?: string;
        /** @description Has no effect */
        apiVersion?: string;
        model?: string;
        messages?: ({
            /** @description `system`, `user`, `assistant`, or `Dialogue` for the messages that a list variable holds */
            role?: string;
            content?: string;
            /** @description Opaque identifier */
            dialogueVariableId?: string;
            /**
             * @description Who speaks first in a dialogue. Default user
             * @enum {string}
             */
            startsBy?: "user" | "assistant";
          })[];
        /** @description Put before the messages */
        systemMessage?: string;
        tools?: ({
            /** @description Default `function`, the only one */
            type?: string;
            name?: string;
            description?: string;
            parameters?: ({
                /** @enum {string} */
                type?: "string" | "number" | "boolean" | "enum";
                name?: string;
                description?: string;
                /** @description Default true */
                required?: boolean;
                /** @description The words of an `enum` */
                values?: string[];
              })[];
            /** @description Body of an async function whose parameters are those above */
            code?: string;
          })[];
        /** @description Whether the model is shown the images whose addresses users say. Default false */
        vision?: boolean;
        /** @description A number, numeric text, or exactly one {{placeholder}} */
        temperature?: number | string;
        /** @description A number, numeric text, or exactly one {{placeholder}} */
        maxTokens?: number | string;
        responseMapping?: {
            /** @description `Message content` (the default), `Total tokens`, `Prompt tokens` or `Completion tokens`; of `Ask Model` `Message` (the default) or `Response ID` */
            item?: string;
            /** @description Opaque identifier */
            variableId?: string;
          }[];
        /** @description `Ask Model` only */
        message?: string;
        /** @description `Ask Model`, and how a speech is to sound */
        instructions?: string;
        /** @description `Ask Model` only: holds the id of the last answer, so that the conversation goes on */
        responseIdVariableId?: string;
        /** @description `Ask Model` only */
        fileSearchVectorStoreIds?: string[];
        /** @description A number, numeric text, or exactly one {{placeholder}} */
        fileSearchMaxNumResults?: number | string;
        /** @description A number, numeric text, or exactly one {{placeholder}} */
        fileSearchScoreThreshold?: number | string;
        /** @description `Ask Model` only */
        webSearchEnabled?: boolean;
        /** @description `Ask Model` only */
        codeInterpreterEnabled?: boolean;
        /** @description `Ask Model` only: as `tools` */
        functions?: ({
            /** @description Default `function`, the only one */
            type?: string;
            name?: string;
            description?: string;
            parameters?: ({
                /** @enum {string} */
                type?: "string" | "number" | "boolean" | "enum";
                name?: string;
                description?: string;
                /** @description Default true */
                required?: boolean;
                /** @description The words of an `enum` */
                values?: string[];
              })[];
            /** @description Body of an async function whose parameters are those above */
            code?: string;
          })[];
        /** @description `Create speech`: what to say */
        input?: string;
        /** @description `Create speech` */
        voice?: string;
        /** @description Opaque identifier */
        saveUrlInVariableId?: string;
        /** @description `Create transcription`: an upload, or another address */
        url?: string;
        /** @description Opaque identifier */
        transcriptionVariableId?: string;
        /** @description `Generate variables`, and what a transcription is about */
        prompt?: string;
        /** @description `Generate variables` only */
        variablesToExtract?: ({
            /** @enum {string} */
            type?: "string" | "number" | "boolean" | "array" | "enum";
            /** @description Opaque identifier */
            variableId?: string;
            description?: string;
            /** @description Default true */
            isRequired?: boolean;
            /** @description The words of an `enum` */
            values?: string[];
          })[];
      };
    };
    ElevenlabsKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "elevenlabs";
      options?: {
        /** @description An account that the operator lends. Default: the one of this type, where there is one */
        credentialsId?: string;
        /** @description Selects which further options count */
        action?: string;
        text?: string;
        voiceId?: string;
        /** @description Default: the vendor's */
        modelId?: string;
        /** @description Opaque identifier */
        saveUrlInVariableId?: string;
      };
    };
    GmailKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "gmail";
      options?: {
        /** @description An account that the operator lends. Default: the one of this type, where there is one */
        credentialsId?: string;
        /** @description Selects which further options count */
        action?: string;
        /** @description One address */
        to?: string;
        subject?: string;
        body?: string;
        /** @description A variable that holds addresses of uploads */
        attachments?: string;
        /** @description The id of a label in the mailbox */
        label?: string;
        /** @description One of the addresses of the mailbox */
        from?: string;
        /** @description The conversation that the mail answers in */
        threadId?: string;
        replyTo?: string;
        responseMapping?: {
            /** @description Opaque identifier */
            id?: string;
            /** @description `Thread ID` (the default) or `Message ID` */
            item?: string;
            /** @description Opaque identifier */
            variableId?: string;
          }[];
      };
    };
    BlinkKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "blink";
      options?: {
        /** @description An account that the operator lends. Default: the one of this type, where there is one */
        credentialsId?: string;
        /** @description Selects which further options count */
        action?: string;
        filter?: {
          /** @enum {string} */
          type?: "User ID" | "Employee ID";
          userId?: string;
          employeeId?: string;
        };
        /** @description `Send Feed Event` */
        categoryId?: string;
        ribbonColor?: string;
        sections?: ({
            /** @description Opaque identifier */
            id?: string;
            /** @description What the section is, which decides what of the rest counts */
            type?: string;
            title?: string;
            description?: string;
            label?: string;
            value?: string;
            iconUrl?: string;
            imageUrl?: string;
            imageUrls?: string[];
            /** @enum {string} */
            imagePlacement?: "left" | "right" | "top";
            fitImage?: boolean;
            /** @description A number, numeric text, or exactly one {{placeholder}} */
            width?: number | string;
            /** @description A number, numeric text, or exactly one {{placeholder}} */
            height?: number | string;
            /** @description `YouTube` */
            link?: string;
            url?: string;
            buttons?: ({
                /** @description Opaque identifier */
                id?: string;
                clientAction?: {
                  /** @enum {string} */
                  type?: "Open Link" | "Open Webview";
                  url?: string;
                };
                label?: string;
                iconUrl?: string;
              })[];
            start?: string;
            end?: string;
            allDay?: boolean;
            /** @description A number, numeric text, or exactly one {{placeholder}} */
            total?: number | string;
            data?: ({
                /** @description Opaque identifier */
                id?: string;
                name?: string;
                /** @description A number, numeric text, or exactly one {{placeholder}} */
                value?: number | string;
                label?: string;
              })[];
          })[];
        allowComments?: boolean;
        allowReactions?: boolean;
        userIds?: string[];
        groupIds?: string[];
        pushNotification?: {
          title?: string;
          text?: string;
        };
        /** @description `Redirect` */
        url?: string;
        responseMapping?: {
            /** @description Opaque identifier */
            id?: string;
            /** @description Of `Get Users` a field of theirs, such as `Emails`; of an event `Event ID` */
            item?: string;
            /** @description Opaque identifier */
            variableId?: string;
          }[];
      };
    };
    CalComKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "cal-com";
      options?: {
        action?: string;
        /** @description Default https://app.cal.com */
        baseUrl?: string;
        /** @description Of the event to book */
        link?: string;
        /**
         * @description Default Month
         * @enum {string}
         */
        layout?: "Month" | "Weekly" | "Columns";
        name?: string;
        email?: string;
        /** @description Where the meeting takes place */
        phone?: string;
        additionalNotes?: string;
        anyPrefilledInformations?: {
            /** @description Opaque identifier */
            id?: string;
            questionId?: string;
            value?: string;
          }[];
        /** @description Opaque identifier */
        saveBookedDateInVariableId?: string;
      };
    };
    ChatNodeKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "chat-node";
      options?: {
        /** @description An account that the operator lends. Default: the one of this type, where there is one */
        credentialsId?: string;
        /** @description Selects which further options count */
        action?: string;
        /** @description The assistant that is asked */
        botId?: string;
        /** @description Continues this conversation; none begins a new one */
        threadId?: string;
        message?: string;
        responseMapping?: {
            /** @description Opaque identifier */
            id?: string;
            /** @description `Message` (the default) or `Thread ID` */
            item?: string;
            /** @description Opaque identifier */
            variableId?: string;
          }[];
      };
    };
    DifyAiKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "dify-ai";
      options?: {
        /** @description An account that the operator lends. Default: the one of this type, where there is one */
        credentialsId?: string;
        /** @description Selects which further options count */
        action?: string;
        query?: string;
        /** @description Holds the id of the conversation, which goes on where it left off */
        conversationVariableId?: string;
        /** @description Who asks. Default: a name made for the visitor */
        user?: string;
        inputs?: {
            /** @description Opaque identifier */
            id?: string;
            key?: string;
            value?: string;
          }[];
        /** @description `Query Knowledge Base` */
        datasetId?: string;
        responseMapping?: {
            /** @description Opaque identifier */
            id?: string;
            /** @description `Message content` (the default) or `Answer`, `Total tokens`, `Prompt tokens`, `Completion tokens`, `Conversation ID`; of a knowledge base `Retrieved chunks` */
            item?: string;
            /** @description Opaque identifier */
            variableId?: string;
          }[];
      };
    };
    GoogleSheetsKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "Google Sheets";
      options?: {
        /** @description Opaque identifier */
        credentialsId?: string;
        spreadsheetId?: string;
        /** @description Numeric id of the sheet, as text */
        sheetId?: string;
        action?: string;
        filter?: {
          /**
           * @description Default OR
           * @enum {string}
           */
          logicalOperator?: "AND" | "OR";
          comparisons?: {
              /** @description Opaque identifier */
              id?: string;
              column?: string;
              /** @description As in conditions */
              comparisonOperator?: string;
              value?: string;
            }[];
        };
        cellsToExtract?: {
            /** @description Opaque identifier */
            id?: string;
            column?: string;
            /** @description Opaque identifier */
            variableId?: string;
          }[];
        /**
         * @description Default All
         * @enum {string}
         */
        totalRowsToExtract?: "All" | "First" | "Last" | "Random";
        cellsToInsert?: {
            /** @description Opaque identifier */
            id?: string;
            /** @description Title of the column */
            column?: string;
            value?: string;
          }[];
        cellsToUpsert?: {
            /** @description Opaque identifier */
            id?: string;
            /** @description Title of the column */
            column?: string;
            value?: string;
          }[];
        /** @description Whether numbers and dates become such, as if typed. Default false: all stays text */
        parseValues?: boolean;
        /** @description Of versions below 6: the row to read or update; `filter` replaces it */
        referenceCell?: {
          /** @description Opaque identifier */
          id?: string;
          column?: string;
          value?: string;
        };
      };
    };
    NocodbKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "nocodb";
      options?: {
        /** @description An account that the operator lends. Default: the one of this type, where there is one */
        credentialsId?: string;
        /** @description Selects which further options count */
        action?: string;
        tableId?: string;
        /** @description Limits the records to those of a view */
        viewId?: string;
        /**
         * @description `Search Records`: which of the records that were found. Default All
         * @enum {string}
         */
        returnType?: "All" | "First" | "Last" | "Random";
        filter?: {
          /**
           * @description Default AND
           * @enum {string}
           */
          joiner?: "AND" | "OR";
          comparisons?: {
              /** @description Opaque identifier */
              id?: string;
              /** @description A field */
              input?: string;
              operator?: string;
              value?: string;
            }[];
        };
        responseMapping?: {
            /** @description Opaque identifier */
            id?: string;
            fieldName?: string;
            /** @description Opaque identifier */
            variableId?: string;
          }[];
        fields?: {
            /** @description Opaque identifier */
            id?: string;
            key?: string;
            value?: string;
          }[];
        updates?: {
            /** @description Opaque identifier */
            id?: string;
            fieldName?: string;
            value?: string;
          }[];
      };
    };
    PosthogKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "posthog";
      options?: {
        /** @description An account that the operator lends. Default: the one of this type, where there is one */
        credentialsId?: string;
        /** @description Selects which further options count */
        action?: string;
        /** @description `Capture`: an event of nobody in particular */
        isAnonymous?: boolean;
        /** @description Who the event is about */
        distinctId?: string;
        /** @description `Capture` */
        event?: string;
        properties?: {
            /** @description Opaque identifier */
            id?: string;
            key?: string;
            value?: string;
          }[];
        personProperties?: {
            /** @description Opaque identifier */
            id?: string;
            key?: string;
            value?: string;
          }[];
        groups?: {
            /** @description Opaque identifier */
            id?: string;
            type?: string;
            key?: string;
          }[];
        /** @description `Identify Group` */
        groupType?: string;
        /** @description `Identify Group` */
        groupKey?: string;
      };
    };
    QrCodeKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "qr-code";
      options?: {
        action?: string;
        /** @description What the code holds */
        data?: string;
        /** @description Opaque identifier */
        saveUrlInVariableId?: string;
      };
    };
    SegmentKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "segment";
      options?: {
        /** @description An account that the operator lends. Default: the one of this type, where there is one */
        credentialsId?: string;
        /** @description Selects which further options count */
        action?: string;
        userId?: string;
        /** @description `Identify User` */
        email?: string;
        traits?: {
            /** @description Opaque identifier */
            id?: string;
            key?: string;
            value?: string;
          }[];
        /** @description `Alias`: the id that becomes `userId` */
        previousId?: string;
        /** @description `Page` */
        name?: string;
        /** @description `Page` */
        category?: string;
        /** @description `Track` */
        eventName?: string;
        properties?: {
            /** @description Opaque identifier */
            id?: string;
            key?: string;
            value?: string;
          }[];
      };
    };
    ZendeskKnownBlock: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @constant */
      type: "zendesk";
      options?: {
        /** @description An account that the operator lends. Default: the one of this type, where there is one */
        credentialsId?: string;
        /** @description Selects which further options count */
        action?: string;
        /** @description Logs the visitor in as this user */
        userId?: string;
        name?: string;
        email?: string;
        /** @description Whether the address is known to be that of the visitor. Default false */
        isEmailVerified?: boolean;
        /** @description Names the widget */
        webWidgetKey?: string;
      };
    };
    FlowEvent: components["schemas"]["StartFlowEvent"] | components["schemas"]["CommandFlowEvent"] | components["schemas"]["ReplyFlowEvent"];
    StartFlowEvent: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @description Where the editor draws it; has no effect */
      graphCoordinates?: {
        x?: number;
        y?: number;
      };
      /** @constant */
      type: "start";
    };
    CommandFlowEvent: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @description Where the editor draws it; has no effect */
      graphCoordinates?: {
        x?: number;
        y?: number;
      };
      /** @constant */
      type: "command";
      options?: {
        /** @description The command that triggers it, compared exactly */
        command?: string;
        /** @description The older way to ask the waiting input again afterwards. Default false */
        resumeAfter?: boolean;
      };
    };
    ReplyFlowEvent: {
      /** @description Opaque identifier */
      id: string;
      /** @description Opaque identifier */
      outgoingEdgeId?: string;
      /** @description Where the editor draws it; has no effect */
      graphCoordinates?: {
        x?: number;
        y?: number;
      };
      /** @enum {string} */
      type: "reply" | "invalidReply";
      options?: {
        /** @description Opaque identifier */
        contentVariableId?: string;
        /** @description Opaque identifier */
        inputNameVariableId?: string;
        /** @description Opaque identifier */
        inputTypeVariableId?: string;
      };
    };
    /** @description Where to begin instead of at the start event: at the top of a group, at a block of it, or where an event leads. */
    StartFrom: components["schemas"]["GroupStartFrom"] | components["schemas"]["BlockStartFrom"] | components["schemas"]["EventStartFrom"];
    GroupStartFrom: {
      /** @constant */
      type: "group";
      /** @description Opaque identifier */
      groupId: string;
      /** @description Opaque identifier */
      blockId?: string;
    };
    BlockStartFrom: {
      /** @constant */
      type: "block";
      /** @description Opaque identifier */
      blockId: string;
      /** @description Opaque identifier */
      groupId?: string;
    };
    EventStartFrom: {
      /** @constant */
      type: "event";
      /** @description Opaque identifier */
      eventId: string;
    };
    Mocks: {
      /** @description Requests of flows, and of code that fetches. The first rule that fits answers */
      http?: ({
          match?: {
            /** @description In capitals or not */
            method?: string;
            /** @description The address; `*` stands for any characters */
            url?: string;
            /** @description A text that the body holds */
            text?: string;
            /** @description What the JSON of the body holds: objects may hold more, lists are as long, the text `{{any}}` fits any value */
            json?: unknown;
            /** @description The id of the block that asks */
            block?: string;
          };
          reply?: {
            /** @description Default 200 */
            status?: number;
            /** @description The body as JSON. Default {} */
            json?: unknown;
            /** @description The body as it stands, in place of `json` */
            text?: string;
          };
          /**
           * @description How it fails in place of an answer: in time, as an address that flows may not reach, otherwise
           * @enum {string}
           */
          fail?: "timeout" | "refused" | "failed";
          /** @description How long the answer takes; what has no time for that fails. Where the clock stands, it moves on and nobody waits */
          after?: string;
          /**
           * @description Asks the world itself, as far as the preview may
           * @constant
           */
          pass?: true;
          /** @description How often the rule answers. Default always */
          times?: number;
        })[];
      /** @description Calls of vendors with an account */
      vendors?: ({
          match?: {
            /** @description The type of the account */
            vendor?: string;
            /** @description In capitals or not */
            method?: string;
            /** @description What follows the address of the account; `*` stands for any characters */
            path?: string;
            /** @description What the JSON of the body holds: objects may hold more, lists are as long, the text `{{any}}` fits any value */
            json?: unknown;
            /** @description The id of the block that asks */
            block?: string;
          };
          reply?: {
            /** @description Default 200 */
            status?: number;
            /** @description The body as JSON. Default {} */
            json?: unknown;
            /** @description The body as it stands, in place of `json` */
            text?: string;
          };
          /**
           * @description How it fails in place of an answer: in time, as an address that flows may not reach, otherwise
           * @enum {string}
           */
          fail?: "timeout" | "refused" | "failed";
          /** @description What the flow may know of the account */
          facts?: {
            [key: string]: string;
          };
          /** @description How long the answer takes; what has no time for that fails. Where the clock stands, it moves on and nobody waits */
          after?: string;
          /**
           * @description Asks the world itself, as far as the preview may
           * @constant
           */
          pass?: true;
          /** @description How often the rule answers. Default always */
          times?: number;
        })[];
      /** @description Questions to language models */
      models?: ({
          match?: {
            /** @description The name of the model */
            model?: string;
            /** @description A text of the last message */
            text?: string;
            /** @description The id of the block that asks */
            block?: string;
          };
          /** @description What the model says */
          reply?: string;
          tool?: {
            name: string;
            /** @description Default {} */
            args?: unknown;
          };
          /** @description What the question and the answer count as. Default 0 */
          tokens?: {
            input?: number;
            output?: number;
          };
          /** @description The status that the server of the model answers, or why it fails */
          fail?: number | string;
          /** @description How long the answer takes; what has no time for that fails. Where the clock stands, it moves on and nobody waits */
          after?: string;
          /**
           * @description Asks the world itself, as far as the preview may
           * @constant
           */
          pass?: true;
          /** @description How often the rule answers. Default always */
          times?: number;
        })[];
      /**
       * @description What becomes of mails. Default accept
       * @enum {string}
       */
      mail?: "accept" | "refuse";
      /**
       * @description What becomes of payments that no rule of `vendors` is about. Default accept
       * @enum {string}
       */
      payments?: "accept" | "refuse";
      /**
       * @description What a call that no rule fits gets: an empty answer, or a failure. Default answer, in a file of tests fail
       * @enum {string}
       */
      unmatched?: "answer" | "fail";
      /** @description A moment at which the clock stands */
      clock?: string;
      /** @description The numbers that chance gives, in order; later ones are made of `seed` */
      random?: number[];
      /** @description Has chance give the same numbers each time */
      seed?: number;
      /**
       * @description `count` makes ids `value-1`, `value-2`, …
       * @enum {string}
       */
      ids?: "count";
    };
    StartPreviewChatResponse: {
      /** @description Opaque identifier */
      sessionId: string;
      /** @description What was found about the flow, when it was asked for */
      findings?: components["schemas"]["LintFinding"][];
      flow: {
        /** @description Opaque identifier */
        id: string;
        /** @description The version of the definition that runs */
        version: string;
        theme: components["schemas"]["Theme"];
        settings: components["schemas"]["Settings"];
      };
      /** @description The accepted reply as it was stored, when that differs from what was sent */
      lastMessageNewFormat?: string;
      messages: components["schemas"]["Message"][];
      input?: components["schemas"]["Input"];
      clientSideActions?: components["schemas"]["ClientSideAction"][];
      logs?: components["schemas"]["Log"][];
      /** @description The parts of the theme that start with a placeholder, with the present values. */
      dynamicTheme?: {
        hostAvatarUrl?: string;
        guestAvatarUrl?: string;
        backgroundUrl?: string;
      };
      /** @description Per cent of the flow, not rounded; may go down */
      progress?: number;
      trace?: components["schemas"]["TurnTrace"];
    };
    LintFinding: {
      /** @description The name of the rule; stable */
      code: string;
      /**
       * @description `error` for what fails, `warning` for what probably does, `info` for what is worth a look
       * @enum {string}
       */
      severity: "error" | "warning" | "info";
      /** @description What is wrong */
      message: string;
      /** @description How to mend it, where the message does not say so */
      hint?: string;
      /** @description JSON pointer into the flow; empty for the whole */
      pointer: string;
      groupId?: string;
      blockId?: string;
      edgeId?: string;
      variableId?: string;
      /** @description Other places that have to do with it */
      related: {
          /** @description JSON pointer into the flow; empty for the whole */
          pointer: string;
          message: string;
        }[];
      /** @description A JSON patch of the flow that certainly mends it; absent where an author has to decide */
      fix?: {
        title: string;
        patch: ({
            /** @enum {string} */
            op: "add" | "remove" | "replace";
            /** @description JSON pointer into the flow; empty for the whole */
            path: string;
            value?: unknown;
          })[];
      };
      /** @description In the text that was sent as `source`; counted from 0, in units of UTF-16 */
      range?: {
        start: {
          line: number;
          character: number;
        };
        end: {
          line: number;
          character: number;
        };
      };
      /** @description Where the rule is described */
      docs: string;
    };
    TurnTrace: {
      /** @description Counted from the start of the session */
      turn: number;
      /** @enum {string} */
      entry: "start" | "continue";
      flow: {
        /** @description Opaque identifier */
        id: string;
        /** @description Names the definition that ran */
        hash: string;
      };
      /** @description ISO 8601 moment */
      startedAt: string;
      /** @description Milliseconds of the turn itself, waiting left out */
      engineMs: number;
      /** @description Milliseconds in all */
      wallMs: number;
      /** @description How the walk came to the first step */
      came: ({
          /**
           * @description Why the walk went there
           * @enum {string}
           */
          why: "start edge" | "chosen place" | "event" | "own edge" | "item edge" | "next in group" | "jump" | "return" | "link" | "link ended" | "link not followed" | "item without edge" | "missing edge" | "missing group" | "empty group" | "refused" | "waits" | "end" | "limit";
          /** @description Opaque identifier */
          edgeId?: string;
          /** @description Opaque identifier */
          eventId?: string;
          /** @description The group that was looked for */
          groupId?: string;
          /** @description The flow that a link led into, or back to */
          flowId?: string;
        })[];
      steps: ({
          block: {
            /** @description Opaque identifier */
            flowId: string;
            /** @description Opaque identifier */
            groupId: string;
            /** @description Opaque identifier */
            blockId: string;
            blockType: string;
            /** @description JSON pointer into the definition */
            pointer: string;
          };
          /**
           * @description What the block was entered for
           * @enum {string}
           */
          did: "ran" | "took a reply";
          reply?: {
            /** @enum {string} */
            outcome: "accepted" | "skipped" | "refused";
            /** @description The answer in its normal form */
            content?: string;
          };
          comparisons?: ({
              /** @description Where it stands inside the block */
              pointer: string;
              /** @description Opaque identifier */
              variableId: string;
              /** @description The name of the variable */
              variable?: string;
              operator: string;
              /** @description Text, a list of texts, or null */
              left: string | ((string | null)[]) | null;
              /** @description Text, a list of texts, or null */
              right: string | ((string | null)[]) | null;
              /**
               * @description What of the two was compared
               * @enum {string}
               */
              by: "texts" | "lists" | "parts" | "elements" | "numbers" | "dates" | "lengths" | "different sizes" | "patterns" | "presence";
              /** @description What was compared of left and right where it is their size: a number, milliseconds, a length */
              sizes?: (number | null)[];
              holds: boolean;
            })[];
          calls?: ({
              /** @enum {string} */
              type: "now" | "random" | "id" | "link" | "evaluate" | "request" | "mail" | "complete" | "callVendor" | "signToken";
              /** @description What was asked, secrets masked and long texts cut */
              request?: unknown;
              /** @description What came of it, secrets masked and long texts cut */
              answer?: unknown;
              /** @description Milliseconds until the answer */
              ms: number;
              /** @description Whether nothing was sent: mocks answered */
              isMocked?: boolean;
            })[];
          /** @description What it showed */
          message?: unknown;
          /** @description What it asked for */
          input?: unknown;
          /** @description What the client is to do */
          actions?: unknown[];
          /** @description The descriptions of its logs */
          logs?: string[];
          wrote?: ({
              /** @description Opaque identifier */
              variableId?: string;
              /** @description The name of the variable */
              variable: string;
              /** @description Text, a list of texts, or null */
              before: string | ((string | null)[]) | null;
              /** @description Text, a list of texts, or null */
              after: string | ((string | null)[]) | null;
            })[];
          /** @description How the walk went on, up to the next step */
          went: ({
              /**
               * @description Why the walk went there
               * @enum {string}
               */
              why: "start edge" | "chosen place" | "event" | "own edge" | "item edge" | "next in group" | "jump" | "return" | "link" | "link ended" | "link not followed" | "item without edge" | "missing edge" | "missing group" | "empty group" | "refused" | "waits" | "end" | "limit";
              /** @description Opaque identifier */
              edgeId?: string;
              /** @description Opaque identifier */
              eventId?: string;
              /** @description The group that was looked for */
              groupId?: string;
              /** @description The flow that a link led into, or back to */
              flowId?: string;
            })[];
          /** @description Milliseconds until the next block was entered */
          ms: number;
        })[];
      /** @description Whether the end of the turn is left out */
      isCut?: boolean;
    };
    ValidateFlowResponse: {
      /** @description Whether there is no error */
      valid: boolean;
      /** @description Whether a start would take it */
      runnable: boolean;
      summary: {
        error: number;
        warning: number;
        info: number;
      };
      findings: components["schemas"]["LintFinding"][];
      /** @description What the flow consists of and depends on. Absent when it can not be run. Lists end at 500 */
      facts?: {
        groups: number;
        blocks: number;
        inputs: number;
        /** @description With the number of places that read and write each */
        variables: {
            id: string;
            name: string;
            reads: number;
            writes: number;
          }[];
        /** @description Accounts of the operator that the flow uses, by id */
        accounts: string[];
        /** @description Flows that it links to, as it names them */
        links: string[];
        /** @description Hosts that it calls, as far as they are known before a conversation */
        hosts: string[];
        /** @description Whether visitors may upload files */
        uploads: boolean;
        /** @description Whether it sends mails */
        mails: boolean;
        /** @description Types of its blocks that do something only in a browser */
        clientOnlyBlocks: string[];
      };
    };
    TestFlowResponse: {
      tests: components["schemas"]["TestedConversation"][];
      /** @description Rules that never fitted */
      unusedMocks: string[];
      /** @description How much of the flow was run, `refusals` and `failures` of inputs and calls */
      coverage: {
        groups: {
          total: number;
          hit: number;
        };
        blocks: {
          total: number;
          hit: number;
        };
        edges: {
          total: number;
          hit: number;
        };
        items: {
          total: number;
          hit: number;
        };
        events: {
          total: number;
          hit: number;
        };
        refusals: {
          total: number;
          hit: number;
        };
        failures: {
          total: number;
          hit: number;
        };
      };
    };
    TestedConversation: {
      name: string;
      /** @description JSON pointer into the tests */
      pointer: string;
      /** @description Line and column in the text of the tests */
      place?: string;
      /**
       * @description `not run` for those behind `bail`, and behind the time for all
       * @enum {string}
       */
      outcome: "passed" | "failed" | "not run";
      /** @description What does not hold */
      failures: {
          /** @description JSON pointer into the tests */
          pointer: string;
          /** @description Line and column in the text of the tests */
          place?: string;
          message: string;
        }[];
      /** @description What is worth a look */
      notes: string[];
      ms: number;
    };
    ReplayResponse: {
      /** @description Those of the recording */
      turns: number;
      /** @description Those that were run again, the one included that diverges; absent with `asTest` */
      replayed?: number;
      /** @description Whether the time was over before the last of them */
      isCut?: boolean;
      /** @description Absent where every turn is the same, byte by byte */
      divergence?: {
        /** @description Counted from 1 */
        turn: number;
        /** @description The block that does otherwise; absent where none had run */
        blockId?: string;
        /** @description One sentence: where, what it did, and what it does now */
        description: string;
      };
      /** @description A file of tests that `POST /v1/flows/test` takes as `tests` */
      tests?: {
        [key: string]: unknown;
      };
      /** @description Why no test can stand for the recording */
      untestable?: string;
    };
    /** @description What a visitor says; null, like absence, is to go on without a word. */
    NextUserMessage: string | null | components["schemas"]["TextMessageObject"] | components["schemas"]["AudioMessageObject"] | components["schemas"]["CommandMessageObject"];
    ContinueChatResponse: {
      /** @description The accepted reply as it was stored, when that differs from what was sent */
      lastMessageNewFormat?: string;
      messages: components["schemas"]["Message"][];
      input?: components["schemas"]["Input"];
      clientSideActions?: components["schemas"]["ClientSideAction"][];
      logs?: components["schemas"]["Log"][];
      /** @description The parts of the theme that start with a placeholder, with the present values. */
      dynamicTheme?: {
        hostAvatarUrl?: string;
        guestAvatarUrl?: string;
        backgroundUrl?: string;
      };
      /** @description Per cent of the flow, not rounded; may go down */
      progress?: number;
      trace?: components["schemas"]["TurnTrace"];
    };
    SessionResponse: {
      /**
       * @description Registered: nothing has run yet. Waiting: for what `waitingFor` names
       * @enum {string}
       */
      state: "registered" | "waiting";
      /**
       * @description The answer to `input`, what the client sends back to an action or an embed, or a call from another system. Present while waiting
       * @enum {string}
       */
      waitingFor?: "input" | "action" | "webhook";
      input?: components["schemas"]["Input"];
      /** @description The parts of the theme that start with a placeholder, with the present values. */
      dynamicTheme?: {
        hostAvatarUrl?: string;
        guestAvatarUrl?: string;
        backgroundUrl?: string;
      };
      /** @description Per cent of the flow, not rounded; may go down */
      progress?: number;
      flow: {
        /** @description Opaque identifier */
        id: string;
        /** @description The version of the definition that runs */
        version: string;
        theme: components["schemas"]["Theme"];
        settings: components["schemas"]["Settings"];
        /** @description ISO 8601 moment */
        publishedAt?: string;
      };
    };
    TraceResponse: {
      /** @description Oldest first; the first ones of a long session are left out */
      turns: components["schemas"]["TurnTrace"][];
    };
    RecordingResponse: {
      /** @constant */
      format: "flow-runtime recording 1";
      /** @description How the conversation was begun */
      start: {
        /** @description Names the definition that the conversation was begun with */
        program: string;
        /** @description Opaque identifier */
        flowId: string;
        isProgressTracked: boolean;
        areResultsRead: boolean;
        limits: {
          [key: string]: number;
        };
        [key: string]: unknown;
      };
      /** @description Oldest first */
      turns: ({
          /** @enum {string} */
          entry: "start" | "continue";
          /** @description What the turn read of the request */
          request: {
            [key: string]: unknown;
          };
          /** @description What had come in for the webhook listener, as JSON */
          payload?: string;
          /** @description The session, where something other than a turn had changed it */
          found?: {
            state: string;
            queue: {
                program: string;
                flowId: string;
                variables: unknown[];
                answers: unknown[];
                [key: string]: unknown;
              }[];
            [key: string]: unknown;
          };
          effects: ({
              /** @enum {string} */
              type: "now" | "random" | "id" | "link" | "evaluate" | "request" | "mail" | "complete" | "callVendor" | "signToken";
              /** @description Names what was asked, which can not be read in it */
              key: string;
              /** @description As it was given; values that JSON does not know are marked by `$value` */
              answer: unknown;
              /** @description Blocks that had been entered by then */
              blocks: number;
            })[];
          /** @description The ids of the blocks that ran, in order */
          blocks: string[];
          /** @description The JSON of the response, without the ids of a start and without a trace */
          response: string;
          /** @description Names the session that the turn left */
          left: string;
        })[];
      /** @description Whether later turns are left out */
      isCut?: boolean;
      /** @description By their names */
      definitions: {
        [key: string]: unknown;
      };
    };
    /** @description The record of one visitor's run of a flow. */
    ResultBody: {
      /** @description A secret, as it lets its visitor go on with the run */
      id: string;
      /** @description The id in the definition of the flow, which is not its public id */
      flowId: string;
      /** @description ISO 8601 moment */
      createdAt: string;
      /** @description ISO 8601 moment */
      updatedAt: string;
      /** @description Those that hold something, in the order of their declaration, without session variables */
      variables: ({
          name: string;
          /** @description Text, a list of texts, or null */
          value: string | ((string | null)[]) | null;
        })[];
      /** @description In the order they were given; a block that was answered twice is there twice */
      answers: {
          /** @description Opaque identifier */
          blockId: string;
          content: string;
          attachedFileUrls?: string[];
        }[];
      /** @description What was shown and said, the latest 1,000 lines */
      transcript: ({
          /** @enum {string} */
          role: "assistant" | "user";
          text: string;
        })[];
      /** @description What flow and client reported, the latest 1,000; long details are cut */
      logs: ({
          /** @enum {string} */
          status?: "error" | "info" | "success";
          description: string;
          details?: string;
          context?: string;
          /** @description ISO 8601 moment */
          time: string;
          /** @description The `x-request-id` of the request that left it, as the log of the service names it */
          requestId?: string;
          /** @description The id in the definition of the flow that left it, which may be a linked one; absent for logs of a client */
          flowId?: string;
          /** @description Opaque identifier */
          groupId?: string;
          /** @description Opaque identifier */
          blockId?: string;
        })[];
      /** @description Whether anything was answered */
      hasStarted: boolean;
      /** @description Whether a run came to its end with an answer */
      isCompleted: boolean;
    };
    FlowState: {
      /** @description Absent for a flow that was published over HTTP */
      file?: string;
      /** @description Of a flow that was published over HTTP */
      version?: number;
      /**
       * @description Published; `stale`: the file is broken, and its last good version stays published; `broken`: so is the file, and there is no good version; `shadowed`: a file, or a file before it, has the same public id
       * @enum {string}
       */
      state: "published" | "stale" | "broken" | "shadowed";
      /** @description Absent for a broken file */
      publicId?: string;
      /** @description The title of the flow; absent for one without */
      name?: string;
      /** @description The id in the definition */
      flowId?: string;
      /** @description ISO 8601 moment */
      publishedAt?: string;
      isClosed?: boolean;
      isArchived?: boolean;
      /** @description Why the file as it is now can not be published */
      problems: {
          /** @description JSON pointer into the definition; empty for the whole */
          pointer: string;
          message: string;
        }[];
      /** @description What the author of the version that is published should know, the first 100 */
      findings: ({
          /** @enum {string} */
          severity: "error" | "warning";
          code: string;
          /** @description JSON pointer into the definition */
          pointer: string;
          blockId?: string;
          /** @description What is wrong and how to mend it */
          hint: string;
        })[];
    };
    FlowPublication: {
      /** @description What visitors start the flow by */
      publicId: string;
      /** @description ISO 8601 moment */
      publishedAt: string;
      isClosed: boolean;
      isArchived: boolean;
      /** @description From 1 on; no number is used twice */
      version: number;
      /** @description The name of the token that it was published with */
      publishedBy: string;
      /** @description False when it was so already */
      isChanged: boolean;
      /** @description What its author should know, the first 100; where a definition was published */
      findings?: ({
          /** @enum {string} */
          severity: "error" | "warning";
          code: string;
          /** @description JSON pointer into the definition */
          pointer: string;
          blockId?: string;
          /** @description What is wrong and how to mend it */
          hint: string;
        })[];
    };
    /** @description Of a flow file without `version` and `publishedBy` */
    PublishedFlow: {
      /** @description What visitors start the flow by */
      publicId: string;
      /** @description ISO 8601 moment */
      publishedAt: string;
      isClosed: boolean;
      isArchived: boolean;
      /** @description From 1 on; no number is used twice */
      version?: number;
      /** @description The name of the token that it was published with */
      publishedBy?: string;
      definition: components["schemas"]["FlowDefinition"];
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}

export type $defs = Record<string, never>;

export type external = Record<string, never>;

export interface operations {

  /**
   * Start a session on a published flow
   * @description Runs the flow until it waits for the visitor or ends, and returns what to show. Browsers are let in by the `security.allowedOrigins` of the flow.
   */
  startChat: {
    parameters: {
      header?: {
        /**
         * @description A name of your own for this request, which nobody can guess: the first answer is given again to a request that repeats the key and the body. 20 to 255 printable ASCII characters without blank
         * @example 0c5a3f5e-5d0e-4a43-9a0b-6a6d3a3f6f0e
         */
        "idempotency-key"?: string;
      };
      path: {
        /**
         * @description What the flow is published as
         * @example lead-form
         */
        publicId: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          message?: components["schemas"]["UserMessage"];
          /** @description Whether the client can stream the text of AI blocks. Default false */
          isStreamEnabled?: boolean;
          /** @description Creates the session without running a block. Default false */
          isOnlyRegistering?: boolean;
          /** @description Initial values by the name of the variable, at most 65,536 characters together. Names that the flow does not declare are ignored */
          prefilledVariables?: {
            [key: string]: unknown;
          };
          /**
           * @description How text bubbles come back. Default richText
           * @enum {string}
           */
          textBubbleContentFormat?: "richText" | "markdown";
          /** @description An earlier result to go on with, where the flow remembers its visitors */
          resultId?: string;
        };
      };
    };
    responses: {
      /** @description What to show first */
      200: {
        headers: {
          /** @description Present when this is what an earlier request with the same Idempotency-Key was answered */
          "idempotent-replayed"?: "true";
          /** @description The version of the session that this answer leads to, for `If-Match` of a continue */
          etag?: string;
        };
        content: {
          "application/json": components["schemas"]["StartChatResponse"];
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The state does not allow it, or a request with this Idempotency-Key is being answered */
      409: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The Idempotency-Key was used with another request */
      422: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Start a session on a definition sent along
   * @description As the public start, for a draft: it may begin anywhere, may take over a preview session, and keeps no result. Needs the bearer token where the service has one.
   */
  startPreviewChat: {
    parameters: {
      header?: {
        /**
         * @description A name of your own for this request, which nobody can guess: the first answer is given again to a request that repeats the key and the body. 20 to 255 printable ASCII characters without blank
         * @example 0c5a3f5e-5d0e-4a43-9a0b-6a6d3a3f6f0e
         */
        "idempotency-key"?: string;
      };
      path: {
        /**
         * @description A label when the body holds a flow
         * @example flow-1
         */
        flowId: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          message?: components["schemas"]["UserMessage"];
          /** @description Whether the client can stream the text of AI blocks. Default false */
          isStreamEnabled?: boolean;
          /** @description Creates the session without running a block. Default false */
          isOnlyRegistering?: boolean;
          /** @description Initial values by the name of the variable, at most 65,536 characters together. Names that the flow does not declare are ignored */
          prefilledVariables?: {
            [key: string]: unknown;
          };
          /**
           * @description How text bubbles come back. Default richText
           * @enum {string}
           */
          textBubbleContentFormat?: "richText" | "markdown";
          flow?: components["schemas"]["FlowDefinition"];
          startFrom?: components["schemas"]["StartFrom"];
          /** @description The preview session to start over; a new id is used as it is, and is best random: whoever knows it can go on, save where the preview was started with the token. 1 to 128 printable ASCII characters without blank or slash */
          sessionId?: string;
          /** @description Whether each answer of the session has the `trace` of its turn (docs/debug.md). Default false */
          trace?: boolean;
          mocks?: components["schemas"]["Mocks"];
          /** @description Whether nothing leaves the service: every call of the session gets an empty answer, as with empty `mocks`. Default false */
          dryRun?: boolean;
          /** @description Whether the turns of the session are written down to be run again (docs/debug.md), which goes with neither `mocks` nor `dryRun`. Default false */
          record?: boolean;
          /** @description Whether to tell the progress, whatever the theme says */
          isProgressBarEnabled?: boolean;
          /** @description Whether to check the flow, and answer what was found. Default false */
          findings?: boolean;
        };
      };
    };
    responses: {
      /** @description What to show first */
      200: {
        headers: {
          /** @description Present when this is what an earlier request with the same Idempotency-Key was answered */
          "idempotent-replayed"?: "true";
          /** @description The version of the session that this answer leads to, for `If-Match` of a continue */
          etag?: string;
        };
        content: {
          "application/json": components["schemas"]["StartPreviewChatResponse"];
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The state does not allow it, or a request with this Idempotency-Key is being answered */
      409: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The Idempotency-Key was used with another request */
      422: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Check a flow, and run nothing of it
   * @description Answers 200 whatever is wrong with the flow: what a start would refuse is a finding. Needs the bearer token of previews where the service has one.
   */
  validateFlow: {
    requestBody?: {
      content: {
        "application/json": {
          flow?: components["schemas"]["FlowDefinition"];
          /** @description The text of the flow in place of `flow`: findings then have their `range` in it */
          source?: string;
          /** @description Levels of rules, by their codes; `off` leaves a rule out */
          rules?: {
            [key: string]: "off" | "info" | "warning" | "error";
          };
          /**
           * @description Leave out what is less grave. Default info
           * @enum {string}
           */
          minSeverity?: "error" | "warning" | "info";
        };
      };
    };
    responses: {
      /** @description What was found out about the flow */
      200: {
        content: {
          "application/json": components["schemas"]["ValidateFlowResponse"];
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Hold the conversations of tests with a flow
   * @description In a world of mocks: nothing is sent, nothing is kept. Needs the bearer token of previews where the service has one.
   */
  testFlow: {
    requestBody: {
      content: {
        "application/json": {
          flow: components["schemas"]["FlowDefinition"];
          /** @description What a file of tests holds, as an object or as a text of YAML: then what fails has its line in it. `flow` in it counts for nothing */
          tests: string | Record<string, never>;
          /** @description Runs the tests with this tag */
          only?: string;
          /** @description Messages may be shown that a test does not name */
          loose?: boolean;
          /** @description Stops at the first test that fails */
          bail?: boolean;
        };
      };
    };
    responses: {
      /** @description What came of the tests */
      200: {
        content: {
          "application/json": components["schemas"]["TestFlowResponse"];
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Run a recorded conversation again
   * @description With what the world answered then: nothing is sent, nothing is kept. Names the first turn and block where the conversation is no longer the same, or makes tests of it. Needs the bearer token of previews where the service has one.
   */
  replayRecording: {
    requestBody: {
      content: {
        "application/json": {
          /** @description What the recording of a session is returned as (docs/api.md 4.21) */
          recording: {
            [key: string]: unknown;
          };
          /** @description A definition that takes the place of the one that was recorded */
          flow?: components["schemas"]["FlowDefinition"];
          /** @description Makes tests of the recording: what was said and seen, with answers as mocks */
          asTest?: boolean;
        };
      };
    };
    responses: {
      /** @description What came of the recording */
      200: {
        content: {
          "application/json": components["schemas"]["ReplayResponse"];
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Report what went wrong in the client
   * @description Adds logs to the result of a live session that has not ended, behind those of the flow. Previews have no result to add to.
   */
  saveClientLogs: {
    parameters: {
      path: {
        /**
         * @description What the start returned; whoever knows it may continue
         * @example pv7Qm2XkT9sLw4ZbR8cYd
         */
        sessionId: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *   "clientLogs": [
         *     {
         *       "status": "error",
         *       "description": "The script could not be run",
         *       "details": "x is not defined"
         *     }
         *   ]
         * }
         */
        "application/json": {
          clientLogs: ({
              /**
               * @description Default error
               * @enum {string}
               */
              status?: "error" | "info" | "success";
              description: string;
              /** @description Cut where results are kept: the first 1000 characters stay */
              details?: string;
              context?: string;
            })[];
        };
      };
    };
    responses: {
      /** @description They are kept */
      200: {
        content: {
          "application/json": {
            /** @constant */
            message: "Logs successfully saved.";
          };
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Go on with a session
   * @description Hands over what the visitor says, or what an action was asked to send back, and runs the flow until it waits again or ends. Requests of one session are answered one at a time, in the order they come in. A session that has ended is not found any more.
   */
  continueChat: {
    parameters: {
      header?: {
        /**
         * @description A name of your own for this request, which nobody can guess: the first answer is given again to a request that repeats the key and the body. 20 to 255 printable ASCII characters without blank
         * @example 0c5a3f5e-5d0e-4a43-9a0b-6a6d3a3f6f0e
         */
        "idempotency-key"?: string;
        /**
         * @description The `etag` of the answer that the visitor replies to: where the session has gone on since, the reply is refused with 412. `*` for any
         * @example "3-mib2qk1c"
         */
        "if-match"?: string;
      };
      path: {
        /**
         * @description What the start returned; whoever knows it may continue
         * @example pv7Qm2XkT9sLw4ZbR8cYd
         */
        sessionId: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          message?: components["schemas"]["NextUserMessage"];
          /**
           * @description How text bubbles come back. Default richText
           * @enum {string}
           */
          textBubbleContentFormat?: "richText" | "markdown";
        };
      };
    };
    responses: {
      /** @description What to show next */
      200: {
        headers: {
          /** @description Present when this is what an earlier request with the same Idempotency-Key was answered */
          "idempotent-replayed"?: "true";
          /** @description The version of the session that this answer leads to, for `If-Match` of a continue */
          etag?: string;
        };
        content: {
          "application/json": components["schemas"]["ContinueChatResponse"];
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The state does not allow it, or a request with this Idempotency-Key is being answered */
      409: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The session has gone on: `input` is what it waits for now, `etag` its present version */
      412: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The Idempotency-Key was used with another request */
      422: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Follow what happens to a session
   * @description Server-sent events for a client that waits: `webhook` when another system has called the listener where the session waits, `updated` when a turn was taken, by whomever. Ends with the session.
   */
  followSession: {
    parameters: {
      header?: {
        /**
         * @description The version that the client knows, which browsers send when they connect again: the first event tells of what happened since
         * @example 3-mib2qk1c
         */
        "last-event-id"?: string;
      };
      path: {
        /**
         * @description What the start returned; whoever knows it may continue
         * @example pv7Qm2XkT9sLw4ZbR8cYd
         */
        sessionId: string;
      };
    };
    responses: {
      /** @description The events */
      200: {
        content: {
          "text/event-stream": string;
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Look where a session is
   * @description For a client that was reloaded: the waiting input with the present values, the progress and the look of the flow. Waits for no other request, runs no block and changes nothing. A session that has ended is not found any more.
   */
  getSession: {
    parameters: {
      path: {
        /**
         * @description What the start returned; whoever knows it may continue
         * @example pv7Qm2XkT9sLw4ZbR8cYd
         */
        sessionId: string;
      };
    };
    responses: {
      /** @description Where it is */
      200: {
        headers: {
          /** @description The version of the session that this answer leads to, for `If-Match` of a continue */
          etag?: string;
        };
        content: {
          "application/json": components["schemas"]["SessionResponse"];
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Read what the turns of a preview did
   * @description The last turns of a preview that was started with `trace`, block by block, also when it has ended. Asked for `text/event-stream`, each turn as an event, those to come too.
   */
  readTrace: {
    parameters: {
      query?: {
        /** @description Only turns behind this one */
        after?: number;
      };
      header?: {
        /**
         * @description The number of the last turn that the client knows, which browsers send when they connect again
         * @example 3
         */
        "last-event-id"?: string;
      };
      path: {
        /**
         * @description What the start returned; whoever knows it may continue
         * @example pv7Qm2XkT9sLw4ZbR8cYd
         */
        sessionId: string;
      };
    };
    responses: {
      /** @description The turns */
      200: {
        content: {
          "application/json": components["schemas"]["TraceResponse"];
          "text/event-stream": string;
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Read the recording of a preview
   * @description What it takes to run a preview again that was started with `record`, also when it has ended: `flow-runtime replay` takes it as a file.
   */
  readRecording: {
    parameters: {
      path: {
        /**
         * @description What the start returned; whoever knows it may continue
         * @example pv7Qm2XkT9sLw4ZbR8cYd
         */
        sessionId: string;
      };
    };
    responses: {
      /** @description The recording */
      200: {
        content: {
          "application/json": components["schemas"]["RecordingResponse"];
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Read the answer of a language model while it comes in
   * @description For a session that was told to stream by a `stream` action. Once the answer is complete, the client sends it back as the message of a continue. One stream a session at a time.
   */
  streamMessage: {
    parameters: {
      path: {
        /**
         * @description What the start returned; whoever knows it may continue
         * @example pv7Qm2XkT9sLw4ZbR8cYd
         */
        sessionId: string;
      };
    };
    requestBody?: {
      content: {
        /** @example {} */
        "application/json": {
          /** @description Has no effect: the flow says what a model is asked */
          messages?: unknown;
        };
      };
    };
    responses: {
      /** @description The answer, piece by piece */
      200: {
        content: {
          "text/plain": string;
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The state does not allow it, or a request with this Idempotency-Key is being answered */
      409: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Get an address to upload a file to
   * @description For the input that the session waits at: a file input, or a text input that takes attachments or recordings. The reply then says where the file lies.
   */
  generateUploadUrl: {
    requestBody: {
      content: {
        /**
         * @example {
         *   "sessionId": "V1StGXR8_Z5jdHi6B-myT",
         *   "fileType": "image/png",
         *   "fileSize": 48213
         * }
         */
        "application/json": {
          /** @description What the start returned */
          sessionId: string;
          /** @description Accepted and not used: the input that waits decides */
          blockId?: string;
          /** @description Accepted and not used: the service names files */
          fileName?: string;
          /** @description MIME type; without one the file is refused */
          fileType?: string;
          /** @description Bytes */
          fileSize?: number;
        };
      };
    };
    responses: {
      /** @description Where to upload, and where the file will be */
      200: {
        content: {
          "application/json": {
            /** @description Takes the bytes of the file in one PUT, once, within ten minutes */
            presignedUrl: string;
            /** @description What has to be sent beside the bytes: nothing */
            formData: Record<string, never>;
            /** @description MIME type, without parameters */
            fileType: string;
            /** @description Megabytes, of 1,048,576 bytes each */
            maxFileSize: number;
            /** @description Where the file lies once it is uploaded: what the reply is to say */
            fileUrl: string;
          };
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Upload a file
   * @description Takes the bytes of one file, once; the content type does not matter. The address comes from `generateUploadUrl`. It may take as long as 16 KiB come in each minute.
   */
  putUpload: {
    parameters: {
      path: {
        /**
         * @description From `presignedUrl`
         * @example eyJwYXRo…
         */
        token: string;
      };
    };
    requestBody: {
      content: {
        "application/octet-stream": string;
      };
    };
    responses: {
      /** @description The file is kept */
      204: {
        content: never;
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body did not arrive in time */
      408: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The state does not allow it, or a request with this Idempotency-Key is being answered */
      409: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Tell that a payment was made
   * @description For Stripe to call, with the events of an account. Each needs its `Stripe-Signature`, not older than five minutes. The answer of the payment input then stands in the result, though the visitor has closed the tab. An event may come again, and changes nothing then.
   */
  confirmPayment: {
    parameters: {
      path: {
        /**
         * @description The id of the account in `CREDENTIALS_FILE`
         * @example shop
         */
        account: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *   "type": "payment_intent.succeeded",
         *   "data": {
         *     "object": {
         *       "id": "pi_1",
         *       "status": "succeeded",
         *       "currency": "eur",
         *       "amount_received": 1250
         *     }
         *   }
         * }
         */
        "application/json": {
          type: string;
          data: {
            object: {
              id?: string;
              status?: string;
              currency?: string;
              amount_received?: number;
              metadata?: {
                /** @description Names the conversation, sealed by this service */
                reference?: string;
              };
            };
          };
        };
      };
    };
    responses: {
      /** @description The event was understood */
      200: {
        content: {
          "application/json": {
            /** @constant */
            message: "OK";
          };
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Move a session to the published version of its flow
   * @description A session stays on the version that it started with, until this is called. Everything that was said and written down stays. A session that waits, or is to come back, at a block that the published version lacks is left as it is. Needs the admin token.
   */
  updateFlow: {
    parameters: {
      path: {
        /**
         * @description What the start returned; whoever knows it may continue
         * @example pv7Qm2XkT9sLw4ZbR8cYd
         */
        sessionId: string;
      };
    };
    responses: {
      /** @description It is on the published version */
      200: {
        content: {
          "application/json": {
            /** @constant */
            message: "success";
          };
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The state does not allow it, or a request with this Idempotency-Key is being answered */
      409: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Tell a waiting conversation what happened elsewhere
   * @description Keeps an object with the live session that waits at this webhook listener. The next continue that says nothing hands it to the block. One that was not fetched yet is replaced. Needs the admin token.
   */
  executeWebhook: {
    parameters: {
      path: {
        /** @description The id of the flow that the result belongs to, or its public id */
        flowId: string;
        /**
         * @description Opaque identifier
         * @example ck9f2
         */
        blockId: string;
        /** @description The result of the visitor, as the public start returned it */
        resultId: string;
      };
    };
    requestBody?: {
      content: {
        /**
         * @example {
         *   "status": "paid",
         *   "items": [
         *     {
         *       "sku": "K-9"
         *     }
         *   ]
         * }
         */
        "application/json": {
          [key: string]: unknown;
        };
      };
    };
    responses: {
      /** @description It is kept */
      200: {
        content: {
          "application/json": {
            /** @constant */
            message: "OK";
          };
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The state does not allow it, or a request with this Idempotency-Key is being answered */
      409: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Read the results of a flow
   * @description Page by page, the latest created first. Results that come or go meanwhile move no others to another page.
   */
  listResults: {
    parameters: {
      query?: {
        /** @description Results of a page, 50 unless told; a page of large results holds fewer */
        limit?: number;
        /**
         * @description Where the page begins: the `nextCursor` of the page before
         * @example YmVmb3JlIDc
         */
        cursor?: string;
        /**
         * @description Those begun then or later: a day in UTC, or a time with its zone
         * @example 2026-11-21
         */
        from?: string;
        /**
         * @description Those begun before
         * @example 2026-11-21
         */
        until?: string;
        /**
         * @description Those in which any input was answered with this, whatever its capitals
         * @example ada@shop.example
         */
        answer?: string;
        /** @description JSON unless told; CSV for spreadsheets, which lacks transcript and logs */
        format?: "json" | "csv";
      };
      path: {
        /**
         * @description The public id of a published flow; else the id in the definition of a flow that has results
         * @example lead-form
         */
        publicId: string;
      };
    };
    responses: {
      /** @description A page of results, the latest created first */
      200: {
        headers: {
          /** @description Where the next page is, as `rel="next"`; absent on the last */
          link?: string;
        };
        content: {
          "application/json": {
            results: components["schemas"]["ResultBody"][];
            /** @description Where the next page begins; absent on the last */
            nextCursor?: string;
          };
          "text/csv": string;
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Erase all results of a flow
   * @description With the sessions that hold the same answers and the files that were uploaded into them. For good.
   */
  deleteResults: {
    parameters: {
      path: {
        /**
         * @description The public id of a published flow; else the id in the definition of a flow that has results
         * @example lead-form
         */
        publicId: string;
      };
    };
    responses: {
      /** @description They are erased */
      200: {
        content: {
          "application/json": {
            /** @description How many there were */
            deleted: number;
          };
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /** Read one result */
  getResult: {
    parameters: {
      path: {
        /**
         * @description The public id of a published flow; else the id in the definition of a flow that has results
         * @example lead-form
         */
        publicId: string;
        /**
         * @description What a start returned
         * @example uW2T9aJb1qTqGgqXUZm0v
         */
        resultId: string;
      };
    };
    responses: {
      /** @description The result */
      200: {
        content: {
          "application/json": components["schemas"]["ResultBody"];
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Erase one result
   * @description With the session that holds the same answers and the files that were uploaded into it. For good.
   */
  deleteResult: {
    parameters: {
      path: {
        /**
         * @description The public id of a published flow; else the id in the definition of a flow that has results
         * @example lead-form
         */
        publicId: string;
        /**
         * @description What a start returned
         * @example uW2T9aJb1qTqGgqXUZm0v
         */
        resultId: string;
      };
    };
    responses: {
      /** @description It is erased */
      204: {
        content: never;
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Too many requests come from this address or wait for this session, or the session has asked too often */
      429: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Read the recording of a live session
   * @description What it takes to run the session of a result again, where `RECORD_LIVE` had it recorded; it goes with its session, and is erased with the result.
   */
  readResultRecording: {
    parameters: {
      path: {
        /**
         * @description The public id of a published flow; else the id in the definition of a flow that has results
         * @example lead-form
         */
        publicId: string;
        /**
         * @description What a start returned
         * @example uW2T9aJb1qTqGgqXUZm0v
         */
        resultId: string;
      };
    };
    responses: {
      /** @description The recording */
      200: {
        content: {
          "application/json": components["schemas"]["RecordingResponse"];
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * See which flows are published, and what is wrong with the others
   * @description Every flow file as the service found it at its last look at the folder, and every flow that was published over HTTP.
   */
  listFlows: {
    responses: {
      /** @description All flow files, in the order of their names, and then all other flows */
      200: {
        content: {
          "application/json": {
            flows: components["schemas"]["FlowState"][];
          };
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /** See the versions of a published flow */
  listFlowVersions: {
    parameters: {
      path: {
        /**
         * @description What visitors start the flow by
         * @example lead-form
         */
        publicId: string;
      };
    };
    responses: {
      /** @description Its versions */
      200: {
        headers: {
          /** @description The version of the flow that is served, for `If-Match` of a change */
          etag?: string;
        };
        content: {
          "application/json": {
            /** @description The latest first; of a flow file none */
            versions: {
                /** @description From 1 on; no number is used twice */
                version: number;
                /** @description ISO 8601 moment */
                publishedAt: string;
                /** @description The name of the token that it was published with */
                publishedBy: string;
                hash: string;
              }[];
          };
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Serve a former version again
   * @description Conversations that are under way stay on theirs. The next publication gets a number of its own.
   */
  rollbackFlow: {
    parameters: {
      header?: {
        /**
         * @description The `etag` of what the change is made from: with 412 nothing is changed where another version is served now. `*` for any
         * @example "3"
         */
        "if-match"?: string;
      };
      path: {
        /**
         * @description What visitors start the flow by
         * @example lead-form
         */
        publicId: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *   "version": 2
         * }
         */
        "application/json": {
          /** @description From 1 on; no number is used twice */
          version: number;
        };
      };
    };
    responses: {
      /** @description The version is served */
      200: {
        headers: {
          /** @description The version of the flow that is served, for `If-Match` of a change */
          etag?: string;
        };
        content: {
          "application/json": components["schemas"]["FlowPublication"];
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The state does not allow it, or a request with this Idempotency-Key is being answered */
      409: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The session has gone on: `input` is what it waits for now, `etag` its present version */
      412: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Check a published flow
   * @description As the check of a draft. Needs the admin token.
   */
  validatePublishedFlow: {
    parameters: {
      path: {
        /**
         * @description What visitors start the flow by
         * @example lead-form
         */
        publicId: string;
      };
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description Levels of rules, by their codes; `off` leaves a rule out */
          rules?: {
            [key: string]: "off" | "info" | "warning" | "error";
          };
          /**
           * @description Leave out what is less grave. Default info
           * @enum {string}
           */
          minSeverity?: "error" | "warning" | "info";
        };
      };
    };
    responses: {
      /** @description What was found out about the flow */
      200: {
        content: {
          "application/json": components["schemas"]["ValidateFlowResponse"];
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /** See who changed which flow, and when */
  readAudit: {
    parameters: {
      query?: {
        /** @description Rows of a page; 50 unless given */
        limit?: number;
        /** @description The `number` of the last row of the page before */
        before?: number;
      };
    };
    responses: {
      /** @description A page of changes */
      200: {
        content: {
          "application/json": {
            /** @description The latest first */
            rows: ({
                number: number;
                /** @description ISO 8601 moment */
                at: string;
                /** @description The name of the token */
                actor: string;
                /** @enum {string} */
                action: "publish" | "rollback" | "set" | "delete";
                /** @description The public id of the flow */
                subject: string;
                detail: string;
              })[];
          };
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /** Read a published flow with its definition */
  getFlow: {
    parameters: {
      path: {
        /**
         * @description What visitors start the flow by
         * @example lead-form
         */
        publicId: string;
      };
    };
    responses: {
      /** @description The version that is served */
      200: {
        headers: {
          /** @description The version of the flow that is served, for `If-Match` of a change */
          etag?: string;
        };
        content: {
          "application/json": components["schemas"]["PublishedFlow"];
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Publish a definition
   * @description As the next version of the flow; conversations that are under way stay on theirs. One in which a check finds errors is refused without `force`. What is served already makes no version. Needs a database.
   */
  publishFlow: {
    parameters: {
      query?: {
        /** @description Publish a flow whose check finds errors. What is no definition is refused all the same */
        force?: "true" | "false";
      };
      header?: {
        /**
         * @description The `etag` of what the change is made from: with 412 nothing is changed where another version is served now. `*` for any
         * @example "3"
         */
        "if-match"?: string;
        /** @description Publish only where no flow has the public id, else 412 */
        "if-none-match"?: "*";
      };
      path: {
        /**
         * @description What visitors start the flow by
         * @example lead-form
         */
        publicId: string;
      };
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["FlowDefinition"];
      };
    };
    responses: {
      /** @description It is published */
      200: {
        headers: {
          /** @description The version of the flow that is served, for `If-Match` of a change */
          etag?: string;
        };
        content: {
          "application/json": components["schemas"]["FlowPublication"];
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The state does not allow it, or a request with this Idempotency-Key is being answered */
      409: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The session has gone on: `input` is what it waits for now, `etag` its present version */
      412: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Withdraw a flow with all its versions
   * @description Conversations that are under way go on, and results stay.
   */
  deleteFlow: {
    parameters: {
      header?: {
        /**
         * @description The `etag` of what the change is made from: with 412 nothing is changed where another version is served now. `*` for any
         * @example "3"
         */
        "if-match"?: string;
      };
      path: {
        /**
         * @description What visitors start the flow by
         * @example lead-form
         */
        publicId: string;
      };
    };
    responses: {
      /** @description It is withdrawn */
      204: {
        content: never;
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The state does not allow it, or a request with this Idempotency-Key is being answered */
      409: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The session has gone on: `input` is what it waits for now, `etag` its present version */
      412: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /** Close or archive a flow, or open it again */
  changeFlow: {
    parameters: {
      header?: {
        /**
         * @description The `etag` of what the change is made from: with 412 nothing is changed where another version is served now. `*` for any
         * @example "3"
         */
        "if-match"?: string;
      };
      path: {
        /**
         * @description What visitors start the flow by
         * @example lead-form
         */
        publicId: string;
      };
    };
    requestBody: {
      content: {
        /**
         * @example {
         *   "isClosed": true
         * }
         */
        "application/json": {
          /** @description Starts are refused with the words of the flow */
          isClosed?: boolean;
          /** @description The flow counts as gone */
          isArchived?: boolean;
        };
      };
    };
    responses: {
      /** @description The flow as it is now */
      200: {
        headers: {
          /** @description The version of the flow that is served, for `If-Match` of a change */
          etag?: string;
        };
        content: {
          "application/json": components["schemas"]["FlowPublication"];
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The state does not allow it, or a request with this Idempotency-Key is being answered */
      409: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The session has gone on: `input` is what it waits for now, `etag` its present version */
      412: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is too large */
      413: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The body is not JSON */
      415: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /** Whether the process is alive */
  health: {
    responses: {
      /** @description It is */
      200: {
        content: {
          "application/json": {
            /** @constant */
            status: "ok";
          };
        };
      };
    };
  };
  /** Whether requests can be served */
  ready: {
    responses: {
      /** @description They can */
      200: {
        content: {
          "application/json": {
            /** @constant */
            status: "ready";
            /** @description What is amiss, or refused for a while, all the same */
            notices?: string[];
          };
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Read an uploaded file
   * @description Pictures and recordings can be shown where they lie; browsers save everything else.
   */
  getUpload: {
    parameters: {
      header?: {
        /** @description One part of the file; the whole is the answer to what asks for anything else */
        range?: string;
      };
      path: {
        /** @example 0f1e2d3c4b5a69788796a5b4c3d2e1f0 */
        owner: string;
        /** @example V1StGXR8_Z5jdHi6B-myT.png */
        name: string;
      };
    };
    responses: {
      /** @description The file */
      200: {
        headers: {
          "accept-ranges"?: "bytes";
        };
        content: {
          "*/*": string;
        };
      };
      /** @description The part of the file that the `Range` header asks for */
      206: {
        headers: {
          "accept-ranges"?: "bytes";
          /** @description The first and the last byte of the part, and how many the file has */
          "content-range"?: string;
        };
        content: {
          "*/*": string;
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * Read a private uploaded file
   * @description Pictures and recordings can be shown where they lie; browsers save everything else.
   */
  getPrivateUpload: {
    parameters: {
      header?: {
        /** @description One part of the file; the whole is the answer to what asks for anything else */
        range?: string;
      };
      path: {
        /** @example 0f1e2d3c4b5a69788796a5b4c3d2e1f0 */
        owner: string;
        /** @example V1StGXR8_Z5jdHi6B-myT.png */
        name: string;
      };
    };
    responses: {
      /** @description The file */
      200: {
        headers: {
          "accept-ranges"?: "bytes";
        };
        content: {
          "*/*": string;
        };
      };
      /** @description The part of the file that the `Range` header asks for */
      206: {
        headers: {
          "accept-ranges"?: "bytes";
          /** @description The first and the last byte of the part, and how many the file has */
          "content-range"?: string;
        };
        content: {
          "*/*": string;
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The origin is not allowed, or the operation is off */
      403: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description There is no such flow, session or record */
      404: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
  /**
   * What was counted since the start
   * @description In the text format of Prometheus. The bearer token is needed where one is set.
   */
  metrics: {
    responses: {
      /** @description The metrics */
      200: {
        content: {
          "text/plain": string;
        };
      };
      /** @description The request is not valid */
      400: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The token is missing or wrong */
      401: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description Something went wrong inside */
      500: {
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
      /** @description The service is starting or shutting down, has too much to do, or cannot reach what it needs */
      503: {
        headers: {
          /** @description Seconds after which the request is worth repeating */
          "retry-after"?: string;
        };
        content: {
          "application/problem+json": components["schemas"]["ErrorBody"];
        };
      };
    };
  };
}
